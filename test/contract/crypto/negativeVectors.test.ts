import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Result } from '../../../core/base/result.ts';
import { equalBytes } from '../../../core/crypto/byteLayout.ts';
import type { CryptoPort } from '../../../core/crypto/cryptoPort.ts';
import { deriveMacKey, verifyFrameSig } from '../../../core/crypto/envMac.ts';
import { FrameOpener } from '../../../core/crypto/frameOpener.ts';
import { GroupReceiver } from '../../../core/crypto/groupReceiver.ts';
import { initiate, respond } from '../../../core/crypto/handshake.ts';
import type { LinkPort } from '../../../core/crypto/linkPort.ts';
import { nobleLink } from '../../../core/crypto/nobleLink.ts';
import { verifyRegister } from '../../../core/crypto/verify.ts';
import { nodeLink } from '../../../platform/node/nodeLink.ts';
import { linkKey, registerFields } from './linkParts.ts';
import { cryptoPorts, withEphemerals } from './ports.ts';
import type { NegativeVector } from './negativeSchema.ts';
import { profileVectors } from './profileVectors.ts';
import { receivedFrame } from './vectorParts.ts';
import { prologueOf } from './prologueOf.ts';

const { pairing, session } = profileVectors;

function outcome(result: Result<unknown, string>): string {
  return result.ok ? 'accepted' : result.code;
}

/** Runs one negative to the outcome that the receiver reaches; a refused frame must leave its state as it was. */
async function outcomeOf(crypto: CryptoPort, link: LinkPort, vector: NegativeVector): Promise<string> {
  switch (vector.kind) {
    case 'channel':
    case 'group': {
      const { receiver } = vector;
      const { session_id: sessionId, dest, key, epoch, expected_counter: counter } = receiver;
      const state = { key, epoch, counter };
      const opener =
        'K_b_pub' in receiver
          ? await GroupReceiver.create({
              crypto,
              sessionId,
              dest,
              state,
              ed25519Verify: link.ed25519Verify,
              bridgeIdentity: receiver.K_b_pub,
            })
          : await FrameOpener.create({
              crypto,
              route: { dir: receiver.recv_dir, sessionId, dest },
              ch: receiver.ch,
              state,
              rekeys: 'noise',
            });
      const result = await opener.open(receivedFrame(vector.frame));
      assert.deepEqual(opener.position, { epoch, counter });
      return outcome(result);
    }
    case 'handshake_message_1': {
      const { prologue, S_b_priv, psk, allow_list } = vector.responder;
      const result = await respond(crypto, {
        ...prologueOf(prologue),
        bridgeKey: await crypto.importDhKey(S_b_priv),
        message1: vector.ios_epk,
        pskFor: key => psk ?? allow_list?.find(device => equalBytes(device.S_d_pub, key))?.psk,
        isChannelTaken: () => false,
      });
      return outcome(result);
    }
    case 'handshake_message_2': {
      const { prologue, S_d_priv, e_app_priv, S_b_pub, psk, message_1 } = vector.initiator;
      const started = await initiate(withEphemerals(crypto, e_app_priv), {
        ...prologueOf(prologue),
        deviceKey: await crypto.importDhKey(S_d_priv),
        bridgePublicKey: S_b_pub,
        psk,
      });
      assert.ok(started.ok);
      assert.deepEqual(started.value.message1, message_1);
      return outcome(await started.value.finish(vector.bridge_epk));
    }
    case 'initiator_static': {
      const started = await initiate(withEphemerals(crypto, vector.e_app_priv), {
        ...prologueOf(pairing.prologue),
        deviceKey: await crypto.importDhKey(session.S_d_priv),
        bridgePublicKey: vector.S_b_pub,
        psk: pairing.psk,
      });
      return outcome(started);
    }
    case 'relay_register': {
      const { relay_origin, challenge_nonce, e_r_priv, K_b_pub } = vector.relay;
      const challenge = { relayOrigin: relay_origin, nonce: challenge_nonce };
      const fields = registerFields(vector.frame);
      return outcome(verifyRegister(link, challenge, linkKey(e_r_priv), K_b_pub, fields, vector.frame.sig));
    }
    case 'bridge_challenge': {
      const shared = linkKey(vector.e_b_priv).dh(vector.e_r);
      return outcome(deriveMacKey(link, shared, new Uint8Array(1)));
    }
    case 'relay_sig': {
      const { sig_mode, conn_seq, mac_key, K_b_pub } = vector.relay;
      const macKey = mac_key ?? new Uint8Array(32);
      const authentication =
        sig_mode === 'mac'
          ? ({ mode: 'mac', macKey } as const)
          : ({ mode: 'ed25519', bridgeIdentity: K_b_pub } as const);
      const frame = receivedFrame(vector.frame);
      const isRight = verifyFrameSig(link, authentication, conn_seq, frame, vector.frame.sig);
      return isRight ? 'accepted' : 'bad_mac';
    }
  }
}

describe('negative vectors', () => {
  const file = readFileSync(new URL('../../vectors/profile-v1.json', import.meta.url), 'utf8');
  const { negatives } = z.object({ negatives: z.array(z.unknown()) }).parse(JSON.parse(file));

  for (const { name, port } of cryptoPorts) {
    const link = name === 'node' ? nodeLink : nobleLink;
    const kinds = new Set(profileVectors.negatives.map(vector => vector.kind));
    let executed = 0;

    for (const kind of kinds) {
      const cases = profileVectors.negatives.filter(vector => vector.kind === kind);
      it(`refuses all of kind ${kind} as they must be, over the ${name} port: ${cases.length}`, async () => {
        for (const vector of cases) {
          assert.equal(await outcomeOf(port, link, vector), vector.expected, vector.case);
          executed++;
        }
      });
    }

    it(`has run as many over the ${name} port as the file holds`, () => {
      assert.equal(executed, negatives.length);
      assert.equal(negatives.length, 172);
    });
  }
});
