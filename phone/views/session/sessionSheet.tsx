import type { JSX } from 'preact';
import { useShell } from '../../app/shell.ts';
import type { PhoneSession } from '../../state/phoneSession.ts';
import { exactTime } from '../parts/relativeTime.ts';
import { Sheet } from '../parts/sheet.tsx';
import { AskAgain } from './askAgain.tsx';
import { isWider, modeText } from './modeText.ts';
import { ToTerminal } from './toTerminal.tsx';
import { sessionPlace } from './sessionPlace.ts';

/** The session in full: whole title, agent, folder, and the way to end it. */
export function SessionSheet(): JSX.Element {
  const { app, navigation } = useShell();
  const route = navigation.route.value;
  const place = route.screen === 'session' ? sessionPlace(app.machines.value, route) : undefined;
  if (route.screen !== 'session' || place === undefined)
    return (
      <Sheet title="Session">
        <p>This phone does not know the session any more.</p>
      </Sheet>
    );
  const { machine, instance } = place;
  const session = machine.session(route.session, instance);
  const { agent, mode, summary } = session.conversation.value;
  return (
    <Sheet title="Session">
      <dl class="facts">
        <dt>Title</dt>
        <dd>{summary?.title ?? 'Not known yet'}</dd>
        <dt>Agent</dt>
        <dd>
          {agent?.display_name ?? summary?.agent_name ?? 'Not known yet'} {agent?.version}
        </dd>
        <dt>Machine</dt>
        <dd>{machine.record.machine}</dd>
        <dt>Permissions</dt>
        <dd>
          <span role="status">{modeText(mode)}</span>
        </dd>
        {summary !== undefined && <dt>Folder</dt>}
        {summary !== undefined && <dd class="path">{summary.cwd}</dd>}
        {summary !== undefined && <dt>Last change</dt>}
        {summary !== undefined && <dd>{exactTime(summary.updated_at * 1000)}</dd>}
      </dl>
      {summary?.activity === 'idle' && summary.owner === undefined && <ToTerminal session={session} />}
      {isWider(mode) && summary?.activity !== 'ended' && <AskAgain session={session} />}
      {summary !== undefined && summary.activity !== 'ended' && <EndSession session={session} />}
    </Sheet>
  );
}

function EndSession({ session }: { readonly session: PhoneSession }): JSX.Element {
  const { navigation } = useShell();
  return (
    <>
      <p class="quiet-text">
        {session.conversation.value.summary?.owner === 'elsewhere'
          ? 'Ending stops reading along. What runs in the terminal goes on, and what was said stays readable.'
          : 'Ending stops the agent. What it said and did stays readable.'}
      </p>
      <button
        type="button"
        class="button danger wide"
        disabled={session.channel.value.phase !== 'open'}
        onClick={() => {
          void session.end();
          navigation.back();
        }}
      >
        End session
      </button>
    </>
  );
}
