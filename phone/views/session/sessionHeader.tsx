import type { JSX } from 'preact';
import { useShell } from '../../app/shell.ts';
import { BackButton } from '../parts/backButton.tsx';
import { Icon } from '../parts/icon.tsx';
import { ScreenTitle } from '../parts/screenTitle.tsx';
import type { SessionProperties } from './sessionProperties.ts';
import { sessionStateText } from './sessionStateText.ts';
import { useSince } from './useSince.ts';

type Properties = Pick<SessionProperties, 'session' | 'listed' | 'workspace'>;

/** What the session is, how it stands, and the way to stop it. */
export function SessionHeader({ session, listed, workspace }: Properties): JSX.Element {
  const { navigation } = useShell();
  const { complete, summary: told } = session.conversation.value;
  const summary = told ?? listed;
  const state = sessionStateText(
    session.channel.value,
    complete,
    summary?.activity,
    summary?.owner ?? 'bridge',
  );
  const age = useSince(state.text);
  const place = workspace ?? summary?.agent_name;
  const asked = session.outbox.value[0]?.text;
  return (
    <header class="bar">
      <div class="measure session-bar">
        <BackButton />
        <div class="session-title">
          <ScreenTitle>
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => navigation.openSheet({ kind: 'session' })}
            >
              {summary?.title ?? asked ?? 'Session'}
            </button>
          </ScreenTitle>
          <p class="meta">
            <span class={state.live ? `state ${summary?.activity ?? ''}` : 'state not-live'}>
              {state.text} {state.live ? '' : age}
            </span>
            {place !== undefined && <span>{place}</span>}
          </p>
        </div>
        <StopButton session={session} />
      </div>
    </header>
  );
}

function StopButton({ session }: Pick<Properties, 'session'>): JSX.Element | null {
  const { summary, stopping } = session.conversation.value;
  const turn = summary?.turn_id;
  if (session.interrupting.value !== undefined || (turn !== undefined && stopping === turn))
    return (
      <button type="button" class="button small" disabled>
        Stopping…
      </button>
    );
  // What runs in the terminal is stopped there.
  if (turn === undefined || summary?.owner === 'terminal' || session.channel.value.phase !== 'open')
    return null;
  return (
    <button
      type="button"
      class="button small"
      onClick={() => {
        void session.interrupt(turn);
      }}
    >
      <Icon name="stop" />
      Stop
    </button>
  );
}
