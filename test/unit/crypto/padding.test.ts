import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_PLAINTEXT_BYTES, pad, paddedLength, unpad } from '../../../core/crypto/padding.ts';

describe('padding', () => {
  it('gives every plaintext back, whatever it ends in [K10]', () => {
    const tail = fc.uint8Array({ maxLength: 40 });
    const zeros = fc.integer({ min: 0, max: 700 });
    fc.assert(
      fc.property(tail, zeros, (head, count) => {
        const plaintext = new Uint8Array(head.length + count);
        plaintext.set(head);
        const padded = pad(plaintext);
        assert.deepEqual(unpad(padded)?.slice(), plaintext);
      }),
    );
  });

  it('wastes at most an eighth above 256 bytes, and never shrinks with a longer plaintext', () => {
    fc.assert(
      fc.property(fc.integer({ min: 256, max: MAX_PLAINTEXT_BYTES }), length => {
        const padded = paddedLength(length);
        assert.ok(padded >= length + 1 && padded <= (length + 1) * 1.125, `${length} to ${padded}`);
        assert.ok(padded >= paddedLength(length - 1));
        assert.equal(paddedLength(padded - 1), padded, 'a padded length is its own');
      }),
    );
  });

  it('refuses every other length and every other marker', () => {
    const plaintexts = fc.uint8Array({ minLength: 1, maxLength: 600 });
    fc.assert(
      fc.property(plaintexts, fc.integer({ min: 1, max: 300 }), (plaintext, more) => {
        const padded = pad(plaintext);
        const longer = new Uint8Array(padded.length + more);
        longer.set(padded);
        assert.equal(unpad(longer), undefined);
        const unmarked = padded.slice();
        unmarked[plaintext.length] = 0x81;
        assert.equal(unpad(unmarked), undefined);
      }),
    );
  });

  it('refuses an empty block and one of zeros', () => {
    assert.equal(unpad(new Uint8Array(0)), undefined);
    assert.equal(unpad(new Uint8Array(256)), undefined);
  });
});
