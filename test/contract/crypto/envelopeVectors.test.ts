import assert from 'node:assert/strict';
import { decodeBase64, encodeBase64 } from '../../../core/protocol/base64.ts';
import type { CryptoPort } from '../../../core/crypto/cryptoPort.ts';
import { channelOf, envelopeAad, unpackNonce, type EnvelopeRoute } from '../../../core/crypto/envelope.ts';
import { FrameOpener } from '../../../core/crypto/frameOpener.ts';
import { FrameSealer } from '../../../core/crypto/frameSealer.ts';
import { pad, paddedLength, unpad } from '../../../core/crypto/padding.ts';
import { msToServerTs, serverTsToMs } from '../../../core/crypto/serverTime.ts';
import { cryptoPorts } from './ports.ts';
import { profileVectors, type EnvelopeVector } from './profileVectors.ts';
import { receivedFrame } from './vectorParts.ts';

const { pairing_frames, envelopes, padding, rekey } = profileVectors;
const paddingFrames = padding.filter(vector => 'plaintext' in vector);
const largestFrames = padding.filter(vector => 'raw_enc_sha256' in vector);
const all = [...pairing_frames, ...envelopes, ...paddingFrames, ...rekey.frames];
const stillClock = { monotonic: () => 0 };

function routeOf(vector: EnvelopeVector): EnvelopeRoute {
  return { dir: vector.dir, sessionId: vector.frame.session_id, dest: vector.aad_dest };
}

async function checkEnvelope(port: CryptoPort, vector: EnvelopeVector): Promise<void> {
  const route = routeOf(vector);
  const frame = receivedFrame(vector.frame);
  assert.equal(frame.serverTsMs, vector.server_ts_ms);
  assert.deepEqual(envelopeAad(route, frame), vector.aad);
  assert.deepEqual(pad(vector.plaintext), vector.padded_plaintext);
  assert.equal(vector.padded_plaintext.length, vector.padded_len);
  const nonce = unpackNonce(frame.enc);
  assert.ok(nonce !== undefined);
  const { dir, ch, epoch, counter } = nonce;
  assert.deepEqual([dir, epoch, counter], [vector.dir, vector.epoch, vector.counter]);
  assert.deepEqual(frame.enc, new Uint8Array([...vector.nonce, ...vector.ciphertext_and_tag]));

  const state = { key: vector.key, epoch, counter };
  const options = { crypto: port, clock: stillClock, route, ch: ch.slice(), state, rekeys: 'noise' } as const;
  const sealer = await FrameSealer.create(options);
  assert.deepEqual(await sealer.seal(frame, vector.plaintext), { ok: true, value: frame.enc });
  const opener = await FrameOpener.create(options);
  const opened = await opener.open(frame);
  assert.ok(opened.ok);
  assert.deepEqual(opened.value.slice(), vector.plaintext);
  assert.deepEqual(opener.position, { epoch, counter: counter + 1 });
}

for (const { name, port } of cryptoPorts) {
  describe(`envelope vectors over the ${name} port`, () => {
    for (const vector of all) {
      it(`seals and opens [T34]: ${vector.label}`, () => checkEnvelope(port, vector));
    }

    for (const vector of largestFrames) {
      it(`seals and opens: ${vector.label}`, async () => {
        const { frame, epoch, counter, key } = vector;
        const plaintext = new Uint8Array(vector.plaintext_len).fill(0x61);
        const route = { dir: vector.dir, sessionId: frame.session_id, dest: vector.aad_dest };
        const fields = receivedFrame({ ...frame, enc: vector.nonce });
        const ch = vector.nonce.slice(1, 5);
        const state = { key, epoch, counter };
        const options = { crypto: port, clock: stillClock, route, ch, state, rekeys: 'noise' } as const;
        const sealed = await (await FrameSealer.create(options)).seal(fields, plaintext);
        assert.ok(sealed.ok);
        assert.deepEqual(port.sha256(sealed.value), vector.raw_enc_sha256);
        const text = encodeBase64(sealed.value);
        assert.equal(text.length, vector.enc_base64_len);
        const enc = decodeBase64(text);
        assert.ok(enc !== undefined);
        const opened = await (await FrameOpener.create(options)).open({ ...fields, enc });
        assert.ok(opened.ok);
        assert.equal(Buffer.compare(opened.value, plaintext), 0);
      });
    }

    it('follows one direction through both rekeys, and the sender rekeys to the same bytes', async () => {
      const frames = rekey.frames.filter(vector => vector.dir === 1);
      const [first] = frames;
      assert.ok(first !== undefined);
      const ch = unpackNonce(first.frame.enc)?.ch.slice() ?? new Uint8Array(0);
      const state = { key: rekey.key_epoch_0, epoch: 0, counter: first.counter };
      const shared = { crypto: port, route: routeOf(first), ch, state, rekeys: 'noise' } as const;
      const opener = await FrameOpener.create(shared);
      let now = 0;
      const limits = { frames: 1e9, bytes: 1e12, ageMs: 1000 };
      const sealer = await FrameSealer.create({ ...shared, clock: { monotonic: () => now }, limits });
      const keys = [rekey.key_epoch_0, rekey.key_epoch_1, rekey.key_epoch_2];
      for (const vector of frames) {
        assert.deepEqual(vector.key, keys[vector.epoch]);
        if (vector.epoch > sealer.position.epoch) now += 1000;
        const frame = receivedFrame(vector.frame);
        assert.deepEqual(await sealer.seal(frame, vector.plaintext), { ok: true, value: frame.enc });
        assert.ok((await opener.open(frame)).ok);
      }
      assert.equal(opener.position.epoch, 2);
    });
  });
}

describe('plain layout vectors', () => {
  it('rounds every server_ts to its milliseconds [K12]', () => {
    for (const { server_ts_json, ms } of profileVectors.server_ts_rounding) {
      assert.equal(serverTsToMs(Number(server_ts_json)), ms, server_ts_json);
      assert.equal(serverTsToMs(msToServerTs(ms)), ms);
    }
  });

  it('gives every padded length [K10]', () => {
    for (const { plaintext_len, padded_len } of profileVectors.padded_lengths) {
      assert.equal(paddedLength(plaintext_len), padded_len);
      assert.equal(unpad(pad(new Uint8Array(plaintext_len)))?.length, plaintext_len);
    }
  });

  it('reads the ch of an enc in hex', () => {
    for (const vector of envelopes.filter(each => each.channel === 'session')) {
      assert.equal(channelOf(vector.frame.enc), profileVectors.session.ch);
    }
  });
});
