import assert from 'node:assert/strict';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import type { Chain } from '../../fakes/chain.ts';
import { untilSignal } from '../../fakes/until.ts';

/**
 * Waits for so many turns' ends; then the phone holds exactly what the desk wrote, block for block in its last form, with no
 * number missing or twice, and knows it.
 */
export async function untilWhole(chain: Chain, session: PhoneSession, ends: number): Promise<void> {
  await untilSignal('the end of the turn', session.conversation, ({ entries }) => {
    const count = [...entries.values()].filter(entry => entry.type === 'session_end').length;
    return count === ends;
  });
  await untilSignal('the present', session.isCurrent, current => current);
  const desk = chain.bridge.sessions.find(session.id);
  assert.ok(desk);
  const written = [...desk.history(0)];
  assert.deepEqual(
    written.map(({ seq }) => seq),
    written.map((_, index) => index + 1),
  );
  const { entries, seq, broken } = session.conversation.value;
  assert.equal(seq, written.length);
  assert.equal(broken, false);
  // An answer bears the id of its question.
  const last = new Map(written.map(({ block }) => [`${block.type} ${block.id}`, block]));
  for (const entry of entries.values()) assert.deepEqual(entry, last.get(`${entry.type} ${entry.id}`));
  const shown = new Set<string>([...entries.values()].map(({ type }) => type));
  for (const block of last.values())
    if (shown.has(block.type)) assert.ok(entries.has(block.id), `${block.type} is missing`);
}
