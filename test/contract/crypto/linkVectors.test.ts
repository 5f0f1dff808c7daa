import assert from 'node:assert/strict';
import { p256 } from '@noble/curves/nist.js';
import { x25519 } from '@noble/curves/ed25519.js';
import {
  batchMac,
  deriveMacKey,
  envelopeSignedBytes,
  frameMac,
  linkAad,
  verifyBatchSig,
  verifyFrameSig,
} from '../../../core/crypto/envMac.ts';
import { nobleDh } from '../../../core/crypto/nobleCrypto.ts';
import {
  helloSignedBytes,
  registerSignedBytes,
  verifyHello,
  verifyRegister,
} from '../../../core/crypto/verify.ts';
import { nodeSigner } from '../../../platform/node/nodeSigner.ts';
import { linkPorts } from './ports.ts';
import { profileVectors } from './profileVectors.ts';
import { receivedFrame } from './vectorParts.ts';
import { linkKey, registerFields } from './linkParts.ts';

const { relay_link: link, device_hello: hello } = profileVectors;
const challenge = { relayOrigin: link.relay_origin, nonce: link.challenge_nonce };
const registers = [link.register_mac, link.register_ed25519, link.register_empty_lists];

for (const { name, port } of linkPorts) {
  describe(`relay link vectors over the ${name} port`, () => {
    it('builds, signs and verifies every register [K14]', () => {
      const signer = nodeSigner(link.K_b_seed);
      assert.deepEqual(signer.publicKey, link.K_b_pub);
      for (const { frame, signed_bytes } of registers) {
        const fields = registerFields(frame);
        const signed = registerSignedBytes({ ...challenge, relayEphemeral: link.e_r_pub }, fields);
        assert.deepEqual(signed, signed_bytes);
        assert.deepEqual(signer.sign(signed), frame.sig);
        const key = linkKey(link.e_r_priv);
        assert.ok(verifyRegister(port, challenge, key, link.K_b_pub, fields, frame.sig).ok);
      }
    });

    it('derives the same MAC key at the relay and at the bridge', () => {
      const { frame, signed_bytes } = link.register_mac;
      const key = linkKey(link.e_r_priv);
      assert.deepEqual(verifyRegister(port, challenge, key, link.K_b_pub, registerFields(frame), frame.sig), {
        ok: true,
        value: link.mac_key,
      });
      const shared = nobleDh(link.e_b_priv, link.e_r_pub);
      assert.deepEqual(shared, link.shared_secret);
      assert.deepEqual(deriveMacKey(port, shared, signed_bytes), { ok: true, value: link.mac_key });
      assert.deepEqual(x25519.getPublicKey(link.e_b_priv), link.e_b_pub);
    });

    for (const vector of link.sig_mac) {
      it(`gives the MAC of frame ${vector.conn_seq}: ${vector.label} [K13]`, () => {
        const frame = receivedFrame(vector.frame);
        const authentication = { mode: 'mac', macKey: link.mac_key } as const;
        assert.deepEqual(linkAad(frame), vector.aad);
        assert.deepEqual(frameMac(port, link.mac_key, vector.conn_seq, frame).slice(), vector.sig);
        assert.ok(verifyFrameSig(port, authentication, vector.conn_seq, frame, vector.frame.sig));
      });
    }

    for (const vector of link.sig_ed25519) {
      it(`verifies the per-envelope form: ${vector.label} [K21]`, () => {
        const frame = receivedFrame(vector.frame);
        const authentication = { mode: 'ed25519', bridgeIdentity: link.K_b_pub } as const;
        assert.deepEqual(envelopeSignedBytes(port, frame), vector.signed_bytes);
        assert.deepEqual(nodeSigner(link.K_b_seed).sign(vector.signed_bytes), vector.sig);
        assert.ok(verifyFrameSig(port, authentication, 0, frame, vector.frame.sig));
      });
    }

    it('binds a batch to its first number, its order and every frame, in mac mode only', () => {
      const frames = link.sig_mac.map(vector => receivedFrame(vector.frame));
      const sig = batchMac(port, link.mac_key, 5, frames);
      const mac = { mode: 'mac', macKey: link.mac_key } as const;
      assert.ok(verifyBatchSig(port, mac, 5, frames, sig));
      assert.ok(!verifyBatchSig(port, mac, 6, frames, sig));
      assert.ok(!verifyBatchSig(port, mac, 5, frames.toReversed(), sig));
      assert.ok(!verifyBatchSig(port, mac, 5, frames.slice(1), sig));
      const [first] = frames;
      assert.ok(first !== undefined);
      assert.ok(!verifyFrameSig(port, mac, 5, first, batchMac(port, link.mac_key, 5, [first])));
      const ed25519 = { mode: 'ed25519', bridgeIdentity: link.K_b_pub } as const;
      assert.ok(!verifyBatchSig(port, ed25519, 5, frames, sig));
    });

    it('verifies the hello proof and nothing beside it [K16]', () => {
      const at = { relayOrigin: hello.relay_origin, nonce: hello.challenge_nonce };
      const { device_id, proof, K_d_pub_uncompressed: identity } = hello;
      assert.deepEqual(helloSignedBytes(at, device_id), hello.signed_bytes);
      assert.ok(verifyHello(port, at, device_id, identity, proof));
      assert.ok(!verifyHello(port, at, 'dev_02', identity, proof));
      assert.ok(
        !verifyHello(port, { ...at, relayOrigin: 'wss://other.example' }, device_id, identity, proof),
      );
      assert.ok(!verifyHello(port, { ...at, nonce: new Uint8Array(32) }, device_id, identity, proof));
      assert.ok(!verifyHello(port, at, device_id, identity, proof.subarray(0, 63)));
      assert.ok(!verifyHello(port, at, device_id, p256.getPublicKey(hello.K_d_priv, true), proof));
      assert.ok(!verifyHello(port, at, device_id, new Uint8Array(65), proof));
    });

    it('agrees with itself on a fresh connection key, and gives zeros for a malformed peer', () => {
      const [a, b] = [port.generateX25519(), port.generateX25519()];
      assert.deepEqual(a.dh(b.publicKey), b.dh(a.publicKey));
      assert.deepEqual(a.dh(new Uint8Array(31)), new Uint8Array(32));
    });
  });
}
