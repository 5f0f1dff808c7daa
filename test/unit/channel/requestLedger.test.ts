import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  emptyLedger,
  ledgerBound,
  settleRequest,
  statusOf,
  takeRequest,
  type RequestLedger,
} from '../../../core/channel/requestLedger.ts';
import { requestId } from '../../../core/protocol/ids.ts';
import type { ResponseMessage } from '../../../core/protocol/response.ts';

const idOf = (number: number) => requestId.parse(`r${String(number)}`);
const answer = (number: number): ResponseMessage => ({
  kind: 'response',
  request_id: idOf(number),
  receipt: 'applied',
  result: { type: 'interrupt' },
});

describe('the ledger of requests [R21]', () => {
  it('lets each request be done once, whatever is repeated and in whatever order answers come', () => {
    const step = fc.record({ id: fc.nat(6), digest: fc.constantFrom('a', 'b'), settles: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        let ledger: RequestLedger = emptyLedger;
        const done = new Map<number, string>();
        for (const { id, digest, settles } of steps) {
          const verdict = takeRequest(ledger, idOf(id), digest);
          const before = done.get(id);
          if (verdict.kind === 'new') {
            assert.equal(before, undefined, 'nothing is done twice');
            done.set(id, digest);
            ledger = verdict.ledger;
          } else assert.equal(verdict.kind === 'conflict', before !== digest);
          if (settles) ledger = settleRequest(ledger, answer(id));
        }
      }),
    );
  });

  it('gives the same answer again, and says what became of a request', () => {
    const first = takeRequest(emptyLedger, idOf(1), 'a');
    assert.ok(first.kind === 'new');
    assert.equal(statusOf(first.ledger, idOf(1)), 'received');
    assert.equal(takeRequest(first.ledger, idOf(1), 'a').kind, 'pending');
    const settled = settleRequest(first.ledger, answer(1));
    assert.deepEqual(takeRequest(settled, idOf(1), 'a'), { kind: 'done', response: answer(1) });
    assert.equal(takeRequest(settled, idOf(1), 'b').kind, 'conflict');
    assert.equal(statusOf(settled, idOf(1)), 'applied');
    assert.equal(statusOf(settled, idOf(2)), 'unknown');
  });

  it('never forgets what is still being done: what is new is refused while there is nothing else', () => {
    let ledger: RequestLedger = emptyLedger;
    for (let number = 0; number < ledgerBound; number += 1) {
      const verdict = takeRequest(ledger, idOf(number), 'a');
      assert.ok(verdict.kind === 'new');
      ({ ledger } = verdict);
    }
    assert.deepEqual(takeRequest(ledger, idOf(ledgerBound), 'a'), { kind: 'full' });
    assert.deepEqual(takeRequest(ledger, idOf(0), 'a'), { kind: 'pending' });
    ledger = settleRequest(ledger, answer(7));
    const next = takeRequest(ledger, idOf(ledgerBound), 'a');
    assert.ok(next.kind === 'new');
    assert.equal(next.ledger.size, ledgerBound);
    assert.equal(statusOf(next.ledger, idOf(7)), 'unknown', 'only what was done is forgotten');
    for (const number of [0, 6, 8, ledgerBound])
      assert.equal(statusOf(next.ledger, idOf(number)), 'received', String(number));
    assert.equal(takeRequest(next.ledger, idOf(ledgerBound + 1), 'a').kind, 'full');
  });

  it('is bounded: the oldest are forgotten, and then read unknown', () => {
    let ledger: RequestLedger = emptyLedger;
    for (let number = 0; number < ledgerBound * 2; number += 1) {
      const verdict = takeRequest(ledger, idOf(number), 'a');
      assert.ok(verdict.kind === 'new');
      ledger = settleRequest(verdict.ledger, answer(number));
    }
    assert.equal(ledger.size, ledgerBound);
    assert.equal(statusOf(ledger, idOf(0)), 'unknown');
    assert.equal(statusOf(ledger, idOf(ledgerBound * 2 - 1)), 'applied');
  });
});
