import assert from 'node:assert/strict';
import { hkdfSync } from 'node:crypto';
import { bytesToHex } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { hkdf } from '../../../core/crypto/hkdf.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';

describe('hkdf [K3]', () => {
  it('gives RFC 5869 test case 1', () => {
    const ikm = new Uint8Array(22).fill(0x0b);
    const salt = Uint8Array.from({ length: 13 }, (_, i) => i);
    const info = Uint8Array.from({ length: 10 }, (_, i) => 0xf0 + i);
    assert.equal(
      bytesToHex(hkdf(nodeCrypto, { ikm, salt, info, length: 42 })),
      '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865',
    );
  });

  it('agrees with the platform for any input, an absent salt being empty', () => {
    const bytes = fc.uint8Array({ maxLength: 80 });
    fc.assert(
      fc.property(bytes, bytes, bytes, fc.integer({ min: 1, max: 200 }), (ikm, salt, info, length) => {
        const expected = new Uint8Array(hkdfSync('sha256', ikm, salt, info, length));
        assert.deepEqual(hkdf(nodeCrypto, { ikm, salt, info, length }), expected);
        const unsalted = new Uint8Array(hkdfSync('sha256', ikm, new Uint8Array(0), info, length));
        assert.deepEqual(hkdf(nodeCrypto, { ikm, info, length }), unsalted);
      }),
    );
  });

  it('refuses more output than RFC 5869 allows', () => {
    assert.throws(() => hkdf(nodeCrypto, { ikm: new Uint8Array(1), length: 8161 }), RangeError);
  });
});
