import assert from 'node:assert/strict';
import type { CryptoPort } from '../../../core/crypto/cryptoPort.ts';
import { nobleCrypto } from '../../../core/crypto/nobleCrypto.ts';
import { selfTest } from '../../../core/crypto/selfTest.ts';
import { chooseCrypto as chooseNode } from '../../../platform/node/chooseCrypto.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import { chooseCrypto as chooseWeb } from '../../../platform/web/chooseCrypto.ts';
import { webCrypto } from '../../../platform/web/webCrypto.ts';
import { insecureCrypto } from './insecureCrypto.ts';

const broken: readonly (readonly [string, Partial<CryptoPort>])[] = [
  ['a hash', { sha256: data => nodeCrypto.sha256(data).reverse() }],
  ['a MAC', { hmacSha256: (_, data) => nodeCrypto.sha256(data) }],
  ['random bytes', { randomBytes: length => new Uint8Array(length).fill(4) }],
  ['an importer that throws', { importAeadKey: () => Promise.reject(new Error('unsupported')) }],
  ['an importer of other keys', { importDhKey: () => nodeCrypto.generateDhKey() }],
  [
    'a cipher that ignores the AAD',
    {
      async importAeadKey(raw) {
        const key = await nodeCrypto.importAeadKey(raw);
        const fixed = new TextEncoder().encode('aad');
        return {
          seal: (nonce, aad, plaintext) => key.seal(nonce, aad, plaintext),
          open: (nonce, _, sealed) => key.open(nonce, fixed, sealed),
        };
      },
    },
  ],
  [
    'a cipher that forgets the nonce in front',
    {
      async importAeadKey(raw) {
        const key = await nodeCrypto.importAeadKey(raw);
        return {
          seal: (nonce, aad, plaintext) => key.seal(nonce, aad, plaintext),
          open: (nonce, aad, sealed) => key.open(nonce, aad, sealed),
          sealBehindNonce: (nonce, aad, plaintext) => key.seal(nonce, aad, plaintext),
        };
      },
    },
  ],
  [
    'a key agreement that throws on a low-order point',
    {
      async importDhKey(raw) {
        const key = await nodeCrypto.importDhKey(raw);
        return {
          publicKey: key.publicKey,
          async dh(peer) {
            const shared = await key.dh(peer);
            if (shared.every(byte => byte === 0)) throw new Error('low order');
            return shared;
          },
        };
      },
    },
  ],
];

describe('selfTest', () => {
  it('passes every implementation', async () => {
    for (const port of [nodeCrypto, nobleCrypto, webCrypto(globalThis.crypto)]) {
      assert.equal(await selfTest(port), true);
    }
  });

  for (const [name, part] of broken) {
    it(`fails ${name}`, async () => assert.equal(await selfTest({ ...nodeCrypto, ...part }), false));
  }
});

describe('chooseCrypto', () => {
  it('takes native code where it gives the known answers', async () => {
    assert.deepEqual(await chooseNode(), { port: nodeCrypto, kind: 'native' });
    assert.equal((await chooseWeb(globalThis.crypto)).kind, 'native');
  });

  it('takes the pure code where native code is wrong or missing', async () => {
    const wrong = { ...nodeCrypto, sha256: (data: Uint8Array) => nodeCrypto.sha256(data).reverse() };
    assert.deepEqual(await chooseNode(wrong), { port: nobleCrypto, kind: 'noble' });
    assert.deepEqual(await chooseWeb(insecureCrypto()), { port: nobleCrypto, kind: 'noble' });
  });
});
