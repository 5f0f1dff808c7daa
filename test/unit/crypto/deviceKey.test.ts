import assert from 'node:assert/strict';
import { nobleLink } from '../../../core/crypto/nobleLink.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import { nodeLink } from '../../../platform/node/nodeLink.ts';
import {
  createDeviceKey,
  createExtractableDeviceKey,
  isDeviceKeySound,
  unwrapDeviceKey,
} from '../../../platform/web/deviceKey.ts';
import { createDeviceIdentity, signAsDevice } from '../../../platform/web/deviceSigner.ts';
import { insecureCrypto } from './insecureCrypto.ts';

const platform = globalThis.crypto;
const message = new TextEncoder().encode('signed');

describe('the device key S_d', () => {
  it('is stored wrapped, and serves key agreements after a structured clone', async () => {
    const stored = structuredClone(await createDeviceKey(platform));
    assert.ok(stored.kind === 'wrapped');
    assert.equal(stored.wrappingKey.extractable, false);
    const peer = await nodeCrypto.generateDhKey();
    const key = await unwrapDeviceKey(platform, stored);
    assert.deepEqual(await key.dh(peer.publicKey), await peer.dh(key.publicKey));
    assert.ok(await isDeviceKeySound(platform, stored));
  });

  it('is an extractable key of the pure code where the browser has none', async () => {
    const insecure = insecureCrypto();
    const stored = structuredClone(await createDeviceKey(insecure));
    assert.equal(stored.kind, 'extractable');
    assert.ok(await isDeviceKeySound(insecure, stored));
    const peer = await nodeCrypto.generateDhKey();
    const key = await unwrapDeviceKey(insecure, stored);
    assert.deepEqual(await key.dh(peer.publicKey), await peer.dh(key.publicKey));
  });

  it('is found out when its storage damaged it', async () => {
    const stored = await createDeviceKey(platform);
    assert.ok(stored.kind === 'wrapped');
    assert.equal(await isDeviceKeySound(platform, { ...stored, wrapped: stored.wrapped.slice(1) }), false);
    const { publicKey } = await createExtractableDeviceKey();
    assert.equal(await isDeviceKeySound(platform, { ...stored, publicKey }), false);
    const zero = {
      kind: 'extractable',
      publicKey: new Uint8Array(32),
      privateKey: new Uint8Array(32),
    } as const;
    assert.equal(await isDeviceKeySound(platform, zero), false);
  });
});

describe('the device identity K_d', () => {
  for (const [name, source] of [
    ['native', platform],
    ['extractable', insecureCrypto()],
  ] as const) {
    it(`signs as r then s, verified by its 65-byte point, when ${name} [K15, K16]`, async () => {
      const identity = await createDeviceIdentity(source);
      assert.equal(identity.kind, name);
      assert.equal(identity.publicKey.length, 65);
      const signature = await signAsDevice(source, identity, message);
      assert.equal(signature.length, 64);
      for (const link of [nodeLink, nobleLink]) {
        assert.ok(link.p256Verify(identity.publicKey, message, signature));
        assert.ok(!link.p256Verify(identity.publicKey, message.slice(1), signature));
      }
    });
  }

  it('cannot be extracted when native', async () => {
    const identity = structuredClone(await createDeviceIdentity(platform));
    assert.ok(identity.kind === 'native');
    assert.equal(identity.privateKey.extractable, false);
    assert.equal((await signAsDevice(platform, identity, message)).length, 64);
  });
});
