import type { ComponentChildren, JSX } from 'preact';
import { useShell } from '../../app/shell.ts';
import { Icon } from '../parts/icon.tsx';
import { awayNotice } from './awayNotice.ts';
import { presenceText } from '../list/presenceText.ts';
import { refusalText } from './refusalText.ts';
import type { SessionProperties } from './sessionProperties.ts';

/** Why the session is not live, when that will not pass by itself or has a way on. */
export function SessionNotice({
  machine,
  instance,
  session,
}: Pick<SessionProperties, 'machine' | 'instance' | 'session'>): JSX.Element | null {
  const { navigation } = useShell();
  const channel = session.channel.value;
  if (channel.phase === 'refused') {
    const { title, advice, warning } = refusalText(channel.code);
    return (
      <div class="measure">
        <div class={warning ? 'notice bad' : 'notice'} role={warning ? 'alert' : 'status'}>
          <p>
            {warning && <Icon name="warning" />}
            <strong>{title}</strong>
          </p>
          <p class="quiet-text">{advice}</p>
          <button
            type="button"
            class="button"
            onClick={() => navigation.replace({ screen: warning ? 'add' : 'list' })}
          >
            {warning ? 'Pair again' : 'Show sessions'}
          </button>
        </div>
      </div>
    );
  }
  const { summary } = session.conversation.value;
  const waiting = session.pending.value.length + session.questions.value.length;
  const away = channel.phase === 'open' ? awayNotice(summary, waiting) : undefined;
  if (away === 'terminal') return <InTerminalNotice needsDesk={summary?.needs_desk === true} />;
  if (away === 'elsewhere')
    return <ElsewhereNotice machine={machine} instance={instance} session={session} />;
  if (channel.phase !== 'offline') return null;
  const { presence } = machine.presence.value;
  const { text, advice } = presenceText(presence);
  const title = presence === 'online' ? 'The window of this session is not reachable' : text;
  return (
    <div class="measure">
      <div class="notice" role="status">
        <p>
          <strong>{title}</strong>
        </p>
        {advice !== undefined && <p class="quiet-text">{advice}</p>}
        {presence === 'replaced' && (
          <button type="button" class="button" onClick={() => machine.restart()}>
            Use here
          </button>
        )}
        {presence === 'relay_down' && (
          <button type="button" class="button" onClick={() => machine.wake()}>
            Try now
          </button>
        )}
      </div>
    </div>
  );
}

/** Who drives the conversation, and what can be done about what it asks. */
function InTerminalNotice({ needsDesk }: { readonly needsDesk: boolean }): JSX.Element {
  const { navigation } = useShell();
  const route = navigation.route.value;
  return (
    <Away
      title={needsDesk ? waitsThere : 'In the terminal at the desk'}
      text={
        needsDesk
          ? 'This can be seen and answered there only: at the desk, or by typing into the terminal from here.'
          : 'What it asks shows here, too, where it can be answered from here: whoever answers first has answered. What you send here is kept, and delivered once the agent there is left.'
      }
    >
      {needsDesk && route.screen === 'session' && (
        <button type="button" class="button" onClick={() => navigation.open({ ...route, view: 'terminal' })}>
          Open the terminal
        </button>
      )}
    </Away>
  );
}

/** Somebody works on it in a terminal that the bridge did not start. */
function ElsewhereNotice({
  machine,
  instance,
  session,
}: Pick<SessionProperties, 'machine' | 'instance' | 'session'>): JSX.Element {
  const { navigation } = useShell();
  const { agent, summary } = session.conversation.value;
  const needsDesk = summary?.needs_desk === true;
  const nativeId = agent?.native_id;
  return (
    <Away
      title={needsDesk ? waitsThere : 'In another terminal at the desk'}
      text="You read along. What it asks is answered there. What you send here is kept, and delivered once the agent there is left."
    >
      {agent !== undefined && nativeId !== undefined && (
        <button
          type="button"
          class="button"
          onClick={() => {
            const copy = machine.forkSession(instance, agent.agent_id, nativeId);
            navigation.replace({
              screen: 'session',
              bridge: machine.record.bridgeId,
              instance,
              session: copy.id,
            });
          }}
        >
          Go on in a copy
        </button>
      )}
    </Away>
  );
}

const waitsThere = 'It waits for an answer in its terminal';

/** That a conversation is in a terminal, and what can be done about it. */
function Away({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="measure">
      <div class="notice" role="status">
        <p>
          <Icon name="execute" />
          <strong>{title}</strong>
        </p>
        <p class="quiet-text">{text}</p>
        {children}
      </div>
    </div>
  );
}
