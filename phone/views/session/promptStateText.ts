import type { UserEchoBlock } from '../../../core/protocol/block/textBlocks.ts';

/**
 * How far a prompt got, in words, while that is not told by its place alone.
 *
 * @param isAway the conversation is in the agent's own terminal
 */
export function promptStateText(
  { state, turn_id }: Pick<UserEchoBlock, 'state' | 'turn_id'>,
  isAway: boolean,
): string | undefined {
  switch (state) {
    case 'queued':
    case 'steered':
      if (turn_id !== undefined) return 'On its way to the agent';
      if (isAway) return 'Kept until the terminal is left';
      return state === 'steered' ? 'Goes next' : 'Queued';
    case 'held':
      return 'Held back until you go on';
    case 'delivered':
    case 'not_delivered':
    case 'cancelled':
      return undefined;
  }
}
