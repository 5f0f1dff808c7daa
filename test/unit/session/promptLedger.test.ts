import assert from 'node:assert/strict';
import type { PromptState, UserEchoBlock } from '../../../core/protocol/block/textBlocks.ts';
import { blockId } from '../../../core/protocol/ids.ts';
import { GrowingMap } from '../../../src/session/growingMap.ts';
import { PromptLedger } from '../../../src/session/promptLedger.ts';

function echo(id: string, state: PromptState, text = id): UserEchoBlock {
  return { type: 'user_echo', ts: 1, id: blockId.parse(id), text, state, client_msg_id: id };
}

describe('a map that only grows', () => {
  it('keeps each of its versions as it was', () => {
    const one = GrowingMap.of([['a', 1]]);
    const two = one.with('b', 2);
    const other = one.with('c', 3);
    assert.deepEqual([...one.entries()], [['a', 1]]);
    assert.deepEqual(
      [...two.entries()],
      [
        ['a', 1],
        ['b', 2],
      ],
    );
    assert.deepEqual(
      [...other.entries()],
      [
        ['a', 1],
        ['c', 3],
      ],
    );
    assert.deepEqual([one.has('b'), two.get('b'), other.get('b'), other.get('c')], [false, 2, undefined, 3]);
  });

  it('keeps what a key was given first', () => {
    const map = GrowingMap.of([
      ['a', 1],
      ['a', 2],
    ]);
    assert.equal(map.with('a', 3), map);
    assert.deepEqual([map.get('a'), map.size], [1, 1]);
  });

  it('takes the same time for each entry, however many there are', () => {
    let map = GrowingMap.of<number, number>();
    // Copying each time would be some ten thousand million entries.
    for (let n = 0; n < 150_000; n += 1) map = map.with(n, n);
    assert.equal(map.size, 150_000);
  });
});

describe('the prompts of a conversation', () => {
  it('wait in the order in which they came, until the agent has them', () => {
    let ledger = PromptLedger.empty;
    for (const id of ['a', 'b', 'c']) ledger = ledger.with(echo(id, 'queued'));
    ledger = ledger.with(echo('a', 'queued', 'a')).with(echo('b', 'delivered'));
    assert.deepEqual(
      ledger.waiting.map(({ text }) => text),
      ['a', 'c'],
    );
    assert.deepEqual(
      ledger.with(echo('a', 'not_delivered')).waiting.map(({ text }) => text),
      ['c'],
    );
    assert.deepEqual(PromptLedger.empty.waiting, []);
  });

  it('take little room once there were many that were not delivered, and none when they were taken back', () => {
    let ledger = PromptLedger.empty;
    const long = 'x'.repeat(10_000);
    for (let count = 0; count < 200; count += 1) {
      const id = String(count);
      ledger = ledger.with(echo(id, 'queued', long));
      ledger = ledger.with(echo(id, count % 2 === 0 ? 'not_delivered' : 'cancelled', long));
    }
    assert.equal(ledger.get('0')?.state, 'not_delivered');
    assert.equal(ledger.get('1'), undefined);
    assert.equal(ledger.get('198')?.text, long, 'the newest ones are whole');
    assert.equal(ledger.get('199')?.text, long);
    const chars = ledger.held.reduce((sum, { text }) => sum + text.length, 0);
    assert.ok(chars < 64 * long.length + 10_000, String(chars));
  });

  it('are known for ever, and told from others under the same id', () => {
    const ledger = PromptLedger.empty.with(echo('a', 'queued', 'go')).with(echo('a', 'delivered', 'go'));
    assert.deepEqual(
      [ledger.has('a'), ledger.holds('a', 'go'), ledger.holds('a', 'stop')],
      [true, true, false],
    );
    assert.deepEqual([ledger.has('b'), ledger.holds('b', 'go')], [false, false]);
  });
});
