import type { Conversation, Entry } from '../../state/conversation.ts';
import { isWaiting, transcriptOrder } from './transcriptOrder.ts';

/** Whether the agent works and nothing of it is to be seen yet. What waits, or was taken back, is not what it works on. */
export function worksInSilence(
  conversation: Pick<Conversation, 'order' | 'entries' | 'summary' | 'complete'>,
): boolean {
  const { entries, summary, complete } = conversation;
  if (!complete || summary?.activity !== 'running') return false;
  const last = transcriptOrder(conversation)
    .map(id => entries.get(id))
    .findLast(entry => !isWaiting(entry) && !isUndelivered(entry));
  if (last === undefined || last.type === 'user_echo') return true;
  // The end of a turn is told before the summary that says so, too.
  return last.type === 'session_end' && summary.turn_id !== undefined && last.turn_id !== summary.turn_id;
}

function isUndelivered(entry: Entry | undefined): boolean {
  return entry?.type === 'user_echo' && entry.state === 'not_delivered';
}
