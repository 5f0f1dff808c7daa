import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { loadMarkdown } from '../../markdown/markdown.tsx';
import { ApprovalDock } from './approvalDock.tsx';
import { Composer } from './composer.tsx';
import { ModeLine } from './modeLine.tsx';
import { NewsLine } from './newsLine.tsx';
import { SessionHeader } from './sessionHeader.tsx';
import { SessionNotice } from './sessionNotice.tsx';
import type { SessionProperties } from './sessionProperties.ts';
import type { SessionRoute } from './sessionPlace.ts';
import { TerminalDoor } from './terminalDoor.tsx';
import { Transcript } from './transcript.tsx';

/** One session: what was said and done, what is asked, and a place to type. */
export function SessionView({
  machine,
  instance,
  session,
  listed,
  workspace,
  view,
}: SessionProperties & Pick<SessionRoute, 'view'>): JSX.Element {
  useEffect(loadMarkdown, []);
  // One place to type at a time: words for the agent would look like an answer, and wait.
  const asksForWords = useComputed(
    () => session.pending.value.length === 0 && session.questions.value[0]?.allow_custom === true,
  ).value;
  const header = <SessionHeader session={session} listed={listed} workspace={workspace} view={view} />;
  if (view === 'terminal')
    return (
      <div class="screen session">
        {header}
        <ModeLine session={session} />
        <TerminalDoor machine={machine} session={session} />
      </div>
    );
  return (
    <div class="screen session">
      {header}
      <ModeLine session={session} />
      <Transcript machine={machine} session={session} />
      <NewsLine session={session} listed={listed} />
      <div class="dock">
        <SessionNotice machine={machine} instance={instance} session={session} />
        <ApprovalDock session={session} />
        <div hidden={asksForWords}>
          <Composer instance={instance} session={session} listed={listed} />
        </div>
      </div>
    </div>
  );
}
