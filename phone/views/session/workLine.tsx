import type { JSX } from 'preact';
import type { Block } from '../../../core/protocol/block/block.ts';
import { VisibleText } from '../parts/visibleTextView.tsx';

type Progress = Extract<Block, { type: 'progress' }>;
type Subagent = Extract<Block, { type: 'subagent' }>;

/** Something that takes a while, and how it went. */
export function ProgressLine({ progress }: { readonly progress: Progress }): JSX.Element {
  const { label, percent } = progress;
  return (
    <p class="turn-end">
      <span>
        <VisibleText text={label} />
        {percent !== undefined && percent < 100 && ` ${String(Math.round(percent))} %`}
      </span>
    </p>
  );
}

/** Where the agent called another one. */
export function SubagentLine({ agent }: { readonly agent: Subagent }): JSX.Element {
  return (
    <p class="turn-end">
      <span>
        Sub-agent <VisibleText text={agent.name} />: <VisibleText text={agent.task} /> ·{' '}
        {statusText(agent.status)}
      </span>
    </p>
  );
}

function statusText(status: Subagent['status']): string {
  switch (status) {
    case 'running':
      return 'at work';
    case 'done':
      return 'done';
    case 'error':
      return 'ended without a result';
  }
}
