import type { ToolCallBlock } from '../../../core/protocol/block/toolBlocks.ts';
import type { ToolResult } from '../../state/conversation.ts';

/** How a tool call stands. `tone` picks its colour; the words say it all. */
export interface ToolStateText {
  readonly text: string;
  readonly tone: 'quiet' | 'good' | 'bad' | 'attention';
}

/** @param asks whether a request for this call waits for an answer */
export function toolStateText(
  call: Pick<ToolCallBlock, 'status'>,
  result: Pick<ToolResult, 'outcome'> | undefined,
  asks: boolean,
): ToolStateText {
  if (result === undefined) {
    if (asks) return { text: 'Asks first', tone: 'attention' };
    if (call.status === 'running') return { text: 'Running…', tone: 'quiet' };
    return call.status === 'done' ? { text: 'Done', tone: 'good' } : { text: 'Failed', tone: 'bad' };
  }
  switch (result.outcome) {
    case 'ok':
      return { text: 'Done', tone: 'good' };
    case 'error':
      return { text: 'Failed', tone: 'bad' };
    case 'denied':
      return { text: 'Denied', tone: 'quiet' };
    case 'interrupted':
      return { text: 'Interrupted', tone: 'quiet' };
    case 'unknown':
      return { text: 'Outcome unknown', tone: 'attention' };
  }
}
