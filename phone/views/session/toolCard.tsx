import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import type { ToolCallBlock } from '../../../core/protocol/block/toolBlocks.ts';
import type { ToolResult } from '../../state/conversation.ts';
import { Icon } from '../parts/icon.tsx';
import { VisibleText } from '../parts/visibleTextView.tsx';
import { approvalFields, lineCount } from './approvalFields.ts';
import { DiffView } from './diffView.tsx';
import type { SessionProperties } from './sessionProperties.ts';
import { toolKindText } from './toolKindText.ts';
import { toolStateText } from './toolStateText.ts';

interface Properties extends Pick<SessionProperties, 'session'> {
  readonly call: ToolCallBlock;
}

/** A tool call: what it is and how it stands; input, output and diffs unfold. */
export function ToolCard({ call, session }: Properties): JSX.Element {
  const result = useComputed(() => session.conversation.value.results.get(call.id)).value;
  const asks = useComputed(() =>
    session.pending.value.some(request => request.tool_call_id === call.id),
  ).value;
  const state = toolStateText(call, result, asks);
  return (
    <article class="tool" aria-label={`${toolKindText(call.kind)}: ${call.title}`}>
      <header class="tool-head">
        <Icon name={call.kind} />
        <div class="tool-text">
          <p class="tool-kind">
            {toolKindText(call.kind) === call.name ? call.name : `${toolKindText(call.kind)} · ${call.name}`}
          </p>
          <p class={call.kind === 'execute' ? 'tool-title mono' : 'tool-title'}>
            <VisibleText text={call.title} />
          </p>
        </div>
        <span class={`tool-state ${state.tone}`}>{state.text}</span>
      </header>
      <Input call={call} />
      <Diffs call={call} session={session} />
      {result !== undefined && saysSomething(result) && <Output result={result} />}
    </article>
  );
}

function Input({ call }: Pick<Properties, 'call'>): JSX.Element | null {
  const fields = approvalFields(call.input);
  // A command that its title says in full needs no second showing.
  if (fields.length === 0 || (fields.length === 1 && fields[0]?.value === call.title)) return null;
  return (
    <details class="fold">
      <summary>Input</summary>
      <div class="fold-body">
        {fields.map(field => (
          <div key={field.name} class="argument">
            <p class="argument-name">{field.name}</p>
            <pre tabIndex={0} aria-label={field.name}>
              <VisibleText text={field.value} />
            </pre>
          </div>
        ))}
      </div>
    </details>
  );
}

/** A denied call has no output, only a sentence for the agent about the denial. */
function saysSomething({ outcome, content }: ToolResult): boolean {
  return content !== '' && outcome !== 'denied';
}

/** What failed is unfolded: its output is the news. */
function Output({ result }: { readonly result: ToolResult }): JSX.Element {
  const lines = lineCount(result.content);
  return (
    <details class="fold" open={result.outcome === 'error'}>
      <summary>
        Output <span class="fold-note">{lines === 1 ? '1 line' : `${String(lines)} lines`}</span>
      </summary>
      <div class="fold-body">
        <pre tabIndex={0} aria-label="Output">
          {result.content}
        </pre>
        {result.truncated && <p class="fold-end">The rest was too long to send.</p>}
      </div>
    </details>
  );
}

function Diffs({ call, session }: Properties): JSX.Element {
  const diffs = useComputed(() => {
    const { order, entries } = session.conversation.value;
    return order.flatMap(id => {
      const entry = entries.get(id);
      return entry?.type === 'diff' && entry.tool_call_id === call.id ? [entry] : [];
    });
  }).value;
  return (
    <>
      {diffs.map(diff => (
        <DiffView key={diff.id} diff={diff} />
      ))}
    </>
  );
}
