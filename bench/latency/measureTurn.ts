import type { Conversation } from '../../phone/state/conversation.ts';
import type { PhoneSession } from '../../phone/state/phoneSession.ts';
import { untilSignal } from '../../test/fakes/until.ts';

function newest({ entries, order }: Conversation): string | undefined {
  const id = order.at(-1);
  return id === undefined ? undefined : entries.get(id)?.type;
}

/** The agent is done and its session says so: the next prompt is taken at once instead of being queued. */
export function untilIdle(session: PhoneSession): Promise<boolean> {
  return untilSignal(
    'the end of the turn',
    session.conversation,
    conversation => newest(conversation) === 'session_end' && conversation.summary?.activity === 'idle',
  );
}

/**
 * Prompts, and waits until the first piece of the agent's answer is on the phone.
 *
 * @returns that time in milliseconds; the turn itself still goes on
 */
export async function untilAnswer(session: PhoneSession, prompt: string): Promise<number> {
  const before = session.conversation.value.order.length;
  const begun = performance.now();
  session.prompt(prompt);
  await untilSignal('the first block', session.conversation, conversation => {
    const kind = newest(conversation);
    return conversation.order.length > before && (kind === 'thinking' || kind === 'text');
  });
  return performance.now() - begun;
}
