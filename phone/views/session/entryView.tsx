import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import type { BlockId } from '../../../core/protocol/ids.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import type { Entry } from '../../state/conversation.ts';
import { DiffView } from './diffView.tsx';
import { ErrorView } from './errorView.tsx';
import { HandoffNote } from './handoffNote.tsx';
import { PlanView } from './planView.tsx';
import { PromptView } from './promptView.tsx';
import { QuestionView } from './questionView.tsx';
import { RequestView } from './requestView.tsx';
import type { SessionProperties } from './sessionProperties.ts';
import { ThinkingView } from './thinkingView.tsx';
import { ToolCard } from './toolCard.tsx';
import { TurnEnd } from './turnEnd.tsx';
import { UnrecognisedView } from './unrecognisedView.tsx';
import { ProgressLine, SubagentLine } from './workLine.tsx';

export interface EntryProperties extends Pick<SessionProperties, 'machine' | 'session'> {
  readonly id: BlockId;
}

/** One place in the transcript. Drawn again only when its own entry changes. */
export function EntryView({ id, machine, session }: EntryProperties): JSX.Element | null {
  const entry = useComputed(() => session.conversation.value.entries.get(id));
  const hasCall = useComputed(() => isAttached(entry.value, session));
  if (entry.value === undefined || hasCall.value) return null;
  const content = <Content entry={entry.value} machine={machine} session={session} />;
  // A sub-agent's words are for the agent that called it, and must not look like an answer.
  return isOfSubagent(entry.value) ? <div class="nested">{content}</div> : content;
}

function Content({
  entry,
  machine,
  session,
}: Omit<EntryProperties, 'id'> & { readonly entry: Entry }): JSX.Element | null {
  switch (entry.type) {
    case 'user_echo':
      return <PromptView echo={entry} machine={machine} session={session} />;
    case 'text':
      return (
        <article class="said">
          <Markdown text={entry.text} />
        </article>
      );
    case 'thinking':
      return <ThinkingView thinking={entry} />;
    case 'tool_call':
      return <ToolCard call={entry} session={session} />;
    case 'permission_request':
      return <RequestView request={entry} session={session} />;
    case 'question':
      return <QuestionView question={entry} session={session} />;
    case 'diff':
      return (
        <div class="tool">
          <DiffView diff={entry} />
        </div>
      );
    case 'session_end':
      return <TurnEnd end={entry} />;
    case 'unrecognised':
      return <UnrecognisedView entry={entry} />;
    case 'plan':
      return <PlanView plan={entry} />;
    case 'progress':
      return <ProgressLine progress={entry} />;
    case 'subagent':
      return <SubagentLine agent={entry} />;
    case 'handoff_state':
      return <HandoffNote handoff={entry} />;
    case 'error':
      return <ErrorView error={entry} />;
  }
}

/** A diff is drawn in the card of its tool call, when that is known. */
function isAttached(entry: Entry | undefined, session: EntryProperties['session']): boolean {
  if (entry?.type !== 'diff' || entry.tool_call_id === undefined) return false;
  return session.conversation.value.entries.get(entry.tool_call_id)?.type === 'tool_call';
}

function isOfSubagent(entry: Entry): boolean {
  return 'parent_id' in entry && entry.parent_id !== undefined;
}
