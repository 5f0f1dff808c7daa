import assert from 'node:assert/strict';
import { reduceOutbox, type OutgoingPrompt } from '../../../core/channel/outbox.ts';

describe('the outbox', () => {
  const one: OutgoingPrompt = { clientMsgId: 'c1', text: 'go', state: 'sending' };

  it('keeps a prompt until the machine’s record shows it', () => {
    assert.deepEqual(reduceOutbox([one], { type: 'confirmed', shown: new Set(['c2']) }), [one]);
    assert.deepEqual(reduceOutbox([one], { type: 'confirmed', shown: new Set(['c1']) }), []);
  });

  it('shows a refusal, and sends again under the same id', () => {
    const refused = reduceOutbox([one], { type: 'refused', clientMsgId: 'c1', code: 'busy' });
    assert.deepEqual(refused, [{ ...one, state: 'failed', code: 'busy' }]);
    assert.deepEqual(reduceOutbox(refused, { type: 'retry', clientMsgId: 'c1' }), [one]);
    assert.deepEqual(reduceOutbox(refused, { type: 'discard', clientMsgId: 'c1' }), []);
  });

  it('is bounded', () => {
    const many = Array.from({ length: 40 }, (_, n) => `c${String(n)}`).reduce<readonly OutgoingPrompt[]>(
      (prompts, clientMsgId) => reduceOutbox(prompts, { type: 'add', clientMsgId, text: 'x' }),
      [],
    );
    assert.equal(many.length, 32);
  });
});
