import type { ReceivedSummary } from '../../../core/protocol/windowState.ts';

/**
 * Whether it is said that a conversation is in a terminal, and in whose. Not while something is to be answered: that has all the
 * room that there is, so that no word on where it runs pushes a part of the action out of sight; nor after the end.
 *
 * @param waiting how many requests and questions wait for an answer
 */
export function awayNotice(
  summary: Pick<ReceivedSummary, 'activity' | 'owner'> | undefined,
  waiting: number,
): 'terminal' | 'elsewhere' | undefined {
  if (summary === undefined || waiting > 0 || summary.activity === 'ended') return undefined;
  return summary.owner === 'terminal' || summary.owner === 'elsewhere' ? summary.owner : undefined;
}
