import assert from 'node:assert/strict';
import fc from 'fast-check';
import { blockId } from '../../../core/protocol/ids.ts';
import { LiveText, type GrowingBlock } from '../../../src/session/liveText.ts';
import { StoppedClock } from '../../fakes/stoppedClock.ts';

const id = blockId.parse('t1');

/** What became of a text that grows with these pauses (ms) and then ends; each update with its time. */
function grow(pauses: readonly number[]) {
  const clock = new StoppedClock();
  const updates: { readonly at: number; readonly how: 'live' | 'kept' | 'end'; readonly text: string }[] = [];
  const tell = (how: 'live' | 'kept' | 'end') => (block: GrowingBlock) =>
    void updates.push({ at: clock.monotonic(), how, text: block.text });
  const live = new LiveText(clock, tell('live'), tell('kept'));
  const form = (text: string): GrowingBlock => ({ type: 'text', ts: 1, id, text, done: false });
  let text = '';
  for (const pause of pauses) {
    text += 'x';
    live.update(form(text));
    clock.pass(pause);
  }
  live.close(id);
  tell('end')(form(text));
  clock.pass(10_000);
  return { updates, text };
}

describe('a text that grows', () => {
  it('is told at most ten times in any second, what is kept of it and its end among them [protocol 2.5]', () => {
    const pause = fc.oneof(fc.nat(40), fc.constantFrom(0, 20, 100, 400));
    const pauses = fc.array(pause, { minLength: 60, maxLength: 400, size: 'max' });
    fc.assert(
      fc.property(pauses, each => {
        const { updates } = grow(each);
        for (const { at } of updates) {
          const within = updates.filter(other => other.at >= at && other.at < at + 1_000).length;
          assert.ok(within <= 10, `${String(within)} within a second from ${String(at)} on`);
        }
        assert.equal(updates.at(-1)?.how, 'end', 'and nothing after its end');
      }),
    );
  });

  it('is told as often as that, and written every three seconds, in the newest form each time', () => {
    const { updates, text } = grow(Array.from({ length: 1_000 }, () => 10));
    assert.equal(text.length, 1_000);
    for (const { at, text: told } of updates.slice(0, -1))
      assert.ok(told.length >= at / 10, `at ${String(at)}`);
    const kept = updates.filter(({ how }) => how === 'kept').map(({ at }) => at);
    assert.equal(kept.length, 3);
    for (const [index, at] of kept.entries()) {
      const due = (kept[index - 1] ?? 0) + 3_000;
      assert.ok(at >= due && at < due + 200, `kept at ${String(at)}`);
    }
    assert.ok(
      updates.length >= 85 && updates.length <= 92,
      `${String(updates.length)} updates in ten seconds`,
    );
  });

  it('is told at once when it begins, and once more when it pauses', () => {
    const { updates } = grow([5, 5, 2_000]);
    assert.deepEqual(
      updates.map(({ how, text }) => [how, text]),
      [
        ['live', 'x'],
        ['live', 'xxx'],
        ['end', 'xxx'],
      ],
    );
    assert.equal(updates[0]?.at, 0);
    assert.ok((updates[1]?.at ?? Infinity) < 150);
  });
});
