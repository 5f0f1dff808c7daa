import type { BlockId, TurnId } from '../../../core/protocol/ids.ts';
import type { Conversation, Entry } from '../../state/conversation.ts';

/** Whether an entry is a prompt that the agent has not been seen to take. */
export function isWaiting(entry: Entry | undefined): boolean {
  return (
    entry?.type === 'user_echo' &&
    (entry.state === 'queued' || entry.state === 'steered' || entry.state === 'held')
  );
}

/**
 * The order in which a transcript reads. A prompt that was queued while a turn ran stands where its own turn begins, and
 * last while it waits: its first appearance is in the middle of another turn. What waits stands in the order in which it
 * goes. A prompt that was taken back stands nowhere; everything else stays where it appeared.
 */
export function transcriptOrder({
  order,
  entries,
}: Pick<Conversation, 'order' | 'entries'>): readonly BlockId[] {
  const prompts = new Map<TurnId, BlockId[]>();
  const [offered, steered, queued]: [BlockId[], BlockId[], BlockId[]] = [[], [], []];
  const rest: BlockId[] = [];
  for (const id of order) {
    const entry = entries.get(id);
    if (entry?.type !== 'user_echo') rest.push(id);
    else if (entry.state === 'cancelled') continue;
    else if (isWaiting(entry) && entry.turn_id !== undefined) offered.push(id);
    else if (isWaiting(entry)) (entry.state === 'steered' ? steered : queued).push(id);
    else if (entry.turn_id === undefined) rest.push(id);
    else prompts.set(entry.turn_id, [...(prompts.get(entry.turn_id) ?? []), id]);
  }
  const read: BlockId[] = [];
  for (const id of rest) {
    const turn = entries.get(id)?.turn_id;
    if (turn !== undefined) {
      read.push(...(prompts.get(turn) ?? []));
      prompts.delete(turn);
    }
    read.push(id);
  }
  return [...read, ...[...prompts.values()].flat(), ...offered, ...steered, ...queued];
}
