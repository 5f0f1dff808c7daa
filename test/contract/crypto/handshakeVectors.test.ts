import assert from 'node:assert/strict';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { CryptoPort } from '../../../core/crypto/cryptoPort.ts';
import { initiate, respond, type HandshakeSecrets } from '../../../core/crypto/handshake.ts';
import { pairingCode, sessionPsk } from '../../../core/crypto/pairingSecrets.ts';
import { handshakePrologue } from '../../../core/crypto/prologue.ts';
import { cryptoPorts, withEphemerals } from './ports.ts';
import { profileVectors, type HandshakeVector } from './profileVectors.ts';
import { prologueOf } from './prologueOf.ts';

const handshakes: readonly (readonly [string, HandshakeVector])[] = [
  ['pairing', profileVectors.pairing],
  ['session', profileVectors.session],
  ['control session', profileVectors.session_ctl],
  ['session of a second device', profileVectors.session_second_device],
];

/** Hands on every hash and MAC that a port gives, so that a trace can be found among them. */
function recording(port: CryptoPort): { readonly port: CryptoPort; readonly seen: Set<string> } {
  const seen = new Set<string>();
  const note = (bytes: Uint8Array): Uint8Array => {
    seen.add(bytesToHex(bytes));
    return bytes;
  };
  return {
    seen,
    port: {
      ...port,
      sha256: data => note(port.sha256(data)),
      hmacSha256: (key, data) => note(port.hmacSha256(key, data)),
    },
  };
}

function assertSecrets(secrets: HandshakeSecrets, vector: HandshakeVector): void {
  assert.deepEqual(secrets.handshakeHash, vector.h);
  assert.deepEqual(secrets.chainingKey, vector.ck);
  assert.deepEqual(secrets.appToBridgeKey, vector.key_app_to_bridge_epoch_0);
  assert.deepEqual(secrets.bridgeToAppKey, vector.key_bridge_to_app_epoch_0);
  assert.equal(bytesToHex(secrets.ch), vector.ch);
}

async function runHandshake(port: CryptoPort, vector: HandshakeVector) {
  const fields = prologueOf(vector.prologue);
  const started = await initiate(withEphemerals(port, vector.e_app_priv), {
    ...fields,
    deviceKey: await port.importDhKey(vector.S_d_priv),
    bridgePublicKey: vector.S_b_pub,
    psk: vector.psk,
  });
  assert.ok(started.ok);
  const asked: Uint8Array[] = [];
  const answered = await respond(withEphemerals(port, vector.e_bridge_priv), {
    ...fields,
    bridgeKey: await port.importDhKey(vector.S_b_priv),
    message1: started.value.message1,
    pskFor(deviceKey) {
      asked.push(deviceKey);
      return vector.psk;
    },
    isChannelTaken: () => false,
  });
  assert.ok(answered.ok);
  const finished = await started.value.finish(answered.value.message2);
  assert.ok(finished.ok);
  return { started: started.value, answered: answered.value, finished: finished.value, asked };
}

for (const { name, port } of cryptoPorts) {
  describe(`handshake vectors over the ${name} port`, () => {
    it('builds every prologue [K2]', () => {
      for (const vector of profileVectors.prologues) {
        const { kind, bridge_id, instance_id, session_id } = vector;
        const fields = { kind, bridgeId: bridge_id, instanceId: instance_id, sessionId: session_id };
        assert.deepEqual(handshakePrologue(fields), vector.prologue);
      }
    });

    for (const [title, vector] of handshakes) {
      it(`gives both messages and all keys of the ${title}`, async () => {
        const run = await runHandshake(port, vector);
        assert.deepEqual(run.started.message1, vector.message_1);
        assert.deepEqual(run.started.message1, vector.message_1_ios_epk);
        assert.deepEqual(run.answered.message2, vector.message_2);
        assert.deepEqual(run.answered.message2, vector.message_2_bridge_epk);
        assertSecrets(run.answered.secrets, vector);
        assertSecrets(run.finished, vector);
        assert.deepEqual(run.answered.secrets.remoteStatic, vector.S_d_pub);
        assert.deepEqual(run.finished.remoteStatic, vector.S_b_pub);
        assert.deepEqual(run.asked, [vector.S_d_pub], 'the psk is asked for by the proven static key');
      });

      it(`passes every step of the trace of the ${title}`, async () => {
        const { port: recorder, seen } = recording(port);
        await runHandshake(recorder, vector);
        for (const { after, h, ck, k } of vector.trace) {
          assert.ok(seen.has(h), `h after ${after}`);
          assert.ok(seen.has(ck), `ck after ${after}`);
          if (k !== null) assert.ok(seen.has(k), `k after ${after}`);
        }
        assert.ok(seen.has(bytesToHex(vector.h_after_message_1)));
        assert.ok(seen.has(bytesToHex(vector.ck_after_message_1)));
      });
    }

    it('derives public keys from private ones', async () => {
      for (const [, vector] of handshakes) {
        const pairs = [
          [vector.S_b_priv, vector.S_b_pub],
          [vector.S_d_priv, vector.S_d_pub],
          [vector.e_app_priv, vector.e_app_pub],
          [vector.e_bridge_priv, vector.e_bridge_pub],
        ] as const;
        for (const [raw, expected] of pairs) {
          assert.deepEqual((await port.importDhKey(raw)).publicKey, expected);
        }
      }
    });

    it('derives the six-digit code and the session psk of the pairing', () => {
      const { ck, h, psk, sas_code, session_psk } = profileVectors.pairing;
      const secrets = { chainingKey: ck, handshakeHash: h };
      assert.equal(pairingCode(port, secrets), sas_code);
      assert.deepEqual(sessionPsk(port, psk, secrets), session_psk);
      assert.deepEqual(session_psk, profileVectors.session.psk);
    });
  });
}
