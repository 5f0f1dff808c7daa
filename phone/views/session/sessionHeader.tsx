import type { JSX } from 'preact';
import { useShell } from '../../app/shell.ts';
import { BackButton } from '../parts/backButton.tsx';
import { Icon } from '../parts/icon.tsx';
import { ScreenTitle } from '../parts/screenTitle.tsx';
import type { SessionProperties } from './sessionProperties.ts';
import type { SessionRoute } from './sessionPlace.ts';
import { sessionStateText } from './sessionStateText.ts';
import { useSince } from './useSince.ts';

type Properties = Pick<SessionProperties, 'session' | 'listed' | 'workspace'> & Pick<SessionRoute, 'view'>;

/** What the session is, how it stands, and the way to stop it. */
export function SessionHeader({ session, listed, workspace, view }: Properties): JSX.Element {
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
        {summary?.owner === 'terminal' || view === 'terminal' ? (
          <ViewButton view={view} />
        ) : (
          summary?.owner !== 'elsewhere' && <StopButton session={session} />
        )}
      </div>
    </header>
  );
}

/** Between what was said and done, and the terminal in which that happens. */
function ViewButton({ view }: Pick<SessionRoute, 'view'>): JSX.Element | null {
  const { navigation } = useShell();
  const route = navigation.route.value;
  if (route.screen !== 'session') return null;
  if (view === 'terminal')
    return (
      <button type="button" class="button small" onClick={() => navigation.back()}>
        Transcript
      </button>
    );
  return (
    <button
      type="button"
      class="button small"
      onClick={() => navigation.open({ ...route, view: 'terminal' })}
    >
      <Icon name="execute" />
      Terminal
    </button>
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
  if (turn === undefined || session.channel.value.phase !== 'open') return null;
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
