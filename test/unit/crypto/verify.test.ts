import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import {
  bridgeIdOf,
  deviceThumbprint,
  isBridgeIdOf,
  isPinnedIdentity,
  revocationSignedBytes,
} from '../../../core/crypto/verify.ts';
import { nodeLink } from '../../../platform/node/nodeLink.ts';

const identity = new Uint8Array(32).fill(7);

describe('identities', () => {
  it('names a bridge by half the hash of its key', () => {
    const hash = createHash('sha256').update(identity).digest().subarray(0, 16);
    const id = bridgeIdOf(nodeLink, identity);
    assert.equal(id, `b_${hash.toString('base64url')}`);
    assert.ok(isBridgeIdOf(nodeLink, id, identity));
    assert.ok(!isBridgeIdOf(nodeLink, id, new Uint8Array(32)));
    assert.ok(!isBridgeIdOf(nodeLink, `${id}x`, identity));
    assert.ok(!isBridgeIdOf(nodeLink, bridgeIdOf(nodeLink, new Uint8Array(0)), new Uint8Array(0)));
  });

  it('checks K_b against the hash pinned from the QR', () => {
    const pinned = createHash('sha256').update(identity).digest();
    assert.ok(isPinnedIdentity(nodeLink, pinned, identity));
    assert.ok(!isPinnedIdentity(nodeLink, pinned, new Uint8Array(32)));
    assert.ok(!isPinnedIdentity(nodeLink, pinned.subarray(1), identity));
  });

  it('thumbprints a device key as RFC 7638 does [K22]', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { crv, kty, x, y } = publicKey.export({ format: 'jwk' });
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-65);
    const expected = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
    assert.equal(deviceThumbprint(nodeLink, raw), expected);
  });

  it('lays out a revocation so that no field can move into another [K22]', () => {
    const statement = { bridgeId: 'b_1', revokedDeviceId: 'dev_2', timeMs: 1000, nonce: new Uint8Array(16) };
    const signed = Buffer.from(revocationSignedBytes(statement));
    const head = Buffer.from('relay-e2e/1 revoke\0\0\0\x03b_1\0\0\0\x05dev_2', 'latin1');
    assert.deepEqual(signed.subarray(0, head.length), head);
    assert.equal(signed.length, head.length + 8 + 16);
    assert.equal(signed.readBigUInt64BE(head.length), 1000n);
  });
});
