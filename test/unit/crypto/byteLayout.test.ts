import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  equalBytes,
  isAllZero,
  labelBytes,
  lp,
  textBytes,
  u32,
  u64,
} from '../../../core/crypto/byteLayout.ts';

describe('byte layout', () => {
  it('writes integers big-endian up to 2^53 - 1', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), value => {
        const expected = Buffer.alloc(8);
        expected.writeBigUInt64BE(BigInt(value));
        assert.deepEqual(u64(value), Uint8Array.from(expected));
        if (value < 2 ** 32) assert.deepEqual(u32(value), Uint8Array.from(expected.subarray(4)));
      }),
    );
    assert.deepEqual(u32(2 ** 32 - 1), new Uint8Array(4).fill(255));
    for (const value of [-1, 0.5, 2 ** 53, NaN]) assert.throws(() => u64(value), RangeError);
  });

  it('prefixes text and bytes with their length in bytes', () => {
    assert.deepEqual(lp(''), new Uint8Array(4));
    assert.deepEqual(lp('ab'), Uint8Array.of(0, 0, 0, 2, 0x61, 0x62));
    assert.deepEqual(lp(Uint8Array.of(9)), Uint8Array.of(0, 0, 0, 1, 9));
    assert.deepEqual(lp('é'), Uint8Array.of(0, 0, 0, 2, 0xc3, 0xa9));
  });

  it('gives text as UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        assert.deepEqual(textBytes(text), new TextEncoder().encode(text));
      }),
    );
  });

  it('compares every byte and the length', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (a, b) => {
        assert.equal(equalBytes(a, b), Buffer.compare(a, b) === 0);
        assert.ok(equalBytes(a, a.slice()));
        assert.equal(
          isAllZero(a),
          a.every(byte => byte === 0),
        );
      }),
    );
    assert.ok(!equalBytes(new Uint8Array(2), new Uint8Array(3)));
  });

  it('labels with the profile name', () => {
    assert.equal(new TextDecoder().decode(labelBytes(' sas')), 'relay-e2e/1 sas');
  });
});
