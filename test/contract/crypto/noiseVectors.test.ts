import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod/mini';
import type { CryptoPort } from '../../../core/crypto/cryptoPort.ts';
import { aesGcmCipher, type NoiseCipher } from '../../../core/crypto/noiseCipher.ts';
import { NoiseHandshake, type NoiseOptions } from '../../../core/crypto/noiseHandshake.ts';
import { IKPSK1, type NoisePattern } from '../../../core/crypto/noisePattern.ts';
import { cryptoPorts } from './ports.ts';

const hex = z.pipe(z.string(), z.transform(hexToBytes));
const vectorSchema = z.object({
  protocol_name: z.string(),
  init_prologue: hex,
  init_psks: z.optional(z.array(hex)),
  init_static: hex,
  init_ephemeral: hex,
  init_remote_static: z.optional(hex),
  resp_prologue: hex,
  resp_psks: z.optional(z.array(hex)),
  resp_static: hex,
  resp_ephemeral: hex,
  handshake_hash: z.optional(z.string()),
  messages: z.array(z.object({ payload: hex, ciphertext: z.string() })),
});
type NoiseVector = z.infer<typeof vectorSchema>;

const file = readFileSync(new URL('../../vectors/noise-selected.json', import.meta.url), 'utf8');
const { vectors } = z.object({ vectors: z.array(vectorSchema) }).parse(JSON.parse(file));

const PATTERNS: readonly NoisePattern[] = [
  IKPSK1,
  {
    name: 'IK',
    responderKnown: true,
    messages: [
      ['e', 'es', 's', 'ss'],
      ['e', 'ee', 'se'],
    ],
  },
  {
    name: 'XX',
    responderKnown: false,
    messages: [['e'], ['e', 'ee', 's', 'es'], ['s', 'se']],
  },
];

/** The profile ships no ChaCha; the engine still has to be right with any cipher. */
const chaChaCipher: NoiseCipher = {
  name: 'ChaChaPoly',
  async importKey(raw) {
    const key = raw.slice();
    return {
      seal: async (nonce, aad, plaintext) => chacha20poly1305(key, nonce, aad).encrypt(plaintext),
      async open(nonce, aad, sealed) {
        try {
          return chacha20poly1305(key, nonce, aad).decrypt(sealed);
        } catch {
          return undefined;
        }
      },
    };
  },
  nonce(counter) {
    const out = new Uint8Array(12);
    new DataView(out.buffer).setBigUint64(4, BigInt(counter), true);
    return out;
  },
};

async function bothParties(port: CryptoPort, vector: NoiseVector) {
  const [, patternName, , cipherName] = vector.protocol_name.split('_');
  const pattern = PATTERNS.find(each => each.name === patternName);
  const cipher = [aesGcmCipher(port), chaChaCipher].find(each => each.name === cipherName);
  assert.ok(pattern !== undefined && cipher !== undefined, vector.protocol_name);
  const shared = { port: { hash: port, cipher }, pattern };
  const party = async (
    initiator: boolean,
    prologue: Uint8Array,
    staticRaw: Uint8Array,
    ephemeral: Uint8Array,
    psk: Uint8Array | undefined,
    remoteStatic: Uint8Array | undefined,
  ): Promise<NoiseOptions> => ({
    ...shared,
    initiator,
    prologue,
    staticKey: await port.importDhKey(staticRaw),
    generateEphemeral: () => port.importDhKey(ephemeral),
    ...(psk === undefined ? {} : { pskFor: () => psk }),
    ...(remoteStatic === undefined ? {} : { remoteStatic }),
  });
  const { init_prologue, init_static, init_ephemeral, init_psks, init_remote_static } = vector;
  const { resp_prologue, resp_static, resp_ephemeral, resp_psks } = vector;
  const known = pattern.responderKnown ? init_remote_static : undefined;
  return {
    cipher,
    initiator: NoiseHandshake.start(
      await party(true, init_prologue, init_static, init_ephemeral, init_psks?.[0], known),
    ),
    responder: NoiseHandshake.start(
      await party(false, resp_prologue, resp_static, resp_ephemeral, resp_psks?.[0], undefined),
    ),
  };
}

async function checkVector(port: CryptoPort, vector: NoiseVector): Promise<void> {
  const { cipher, initiator, responder } = await bothParties(port, vector);
  let index = 0;
  for (const { payload, ciphertext } of vector.messages) {
    const [sender, reader] = index % 2 === 0 ? [initiator, responder] : [responder, initiator];
    if (sender.finished) break;
    const written = await sender.write(payload);
    assert.ok(written.ok);
    assert.equal(bytesToHex(written.value), ciphertext);
    assert.deepEqual(await reader.read(written.value), { ok: true, value: payload });
    index++;
  }
  assert.ok(initiator.finished && responder.finished);
  assert.deepEqual(initiator.handshakeHash, responder.handshakeHash);
  if (vector.handshake_hash !== undefined) {
    assert.equal(bytesToHex(initiator.handshakeHash), vector.handshake_hash);
  }
  assert.deepEqual(initiator.split(), responder.split());

  const { initiatorToResponder, responderToInitiator } = initiator.split();
  const keys = [await cipher.importKey(initiatorToResponder), await cipher.importKey(responderToInitiator)];
  const counters = [0, 0];
  const transport = vector.messages.slice(index);
  assert.ok(transport.length > 0, 'the vector has transport messages');
  for (const { payload, ciphertext } of transport) {
    const way = index++ % 2;
    const [key, counter] = [keys[way], counters[way]];
    assert.ok(key !== undefined && counter !== undefined);
    counters[way] = counter + 1;
    const sealed = await key.seal(cipher.nonce(counter), new Uint8Array(0), payload);
    assert.equal(bytesToHex(sealed), ciphertext);
    assert.deepEqual(await key.open(cipher.nonce(counter), new Uint8Array(0), sealed), payload);
  }
}

for (const { name, port } of cryptoPorts) {
  describe(`public Noise vectors over the ${name} port`, () => {
    it('holds the ten selected vectors', () => assert.equal(vectors.length, 10));
    for (const [index, vector] of vectors.entries()) {
      it(`gives every message of ${vector.protocol_name}, vector ${index}`, () => checkVector(port, vector));
    }
  });
}
