import type { JSX } from 'preact';
import type { Block } from '../../../core/protocol/block/block.ts';
import { TimeButton } from '../parts/timeText.tsx';

type SessionEnd = Extract<Block, { type: 'session_end' }>;

/** Where a turn ended, and how, when it was not by itself. */
export function TurnEnd({ end }: { readonly end: SessionEnd }): JSX.Element {
  return (
    <p class={end.reason === 'completed' ? 'turn-end' : 'turn-end early'}>
      <span>{reasonText(end.reason)}</span>
      <span aria-hidden="true">·</span>
      <TimeButton atMs={end.ts * 1000} />
    </p>
  );
}

function reasonText(reason: SessionEnd['reason']): string {
  switch (reason) {
    case 'completed':
      return 'Done';
    case 'interrupted':
      return 'Interrupted';
    case 'max_turns':
      return 'Paused: the agent’s limit of steps is reached';
    case 'stopped':
      return 'Stopped: the session was ended';
    case 'error':
      return 'Failed';
  }
}
