import assert from 'node:assert/strict';
import { unpackNonce } from '../../../core/crypto/envelope.ts';
import { FrameOpener } from '../../../core/crypto/frameOpener.ts';
import { FrameSealer } from '../../../core/crypto/frameSealer.ts';
import { REKEY_LIMITS } from '../../../core/crypto/rekey.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import { blockFrame, livePair, TEXT } from './channelPair.ts';

const NEVER = { frames: 1e9, bytes: 1e12, ageMs: 1e12 };
const crypto = nodeCrypto;
const ch = Uint8Array.of(1, 2, 3, 4);
const route = { dir: 1, sessionId: 's', dest: 'dev_01' } as const;

async function epochsOf(limits: typeof NEVER, sizes: readonly number[], times: readonly number[] = []) {
  let now = 0;
  const { app, bridge } = await livePair({ limits, clock: { monotonic: () => now } });
  const epochs: number[] = [];
  for (const [index, size] of sizes.entries()) {
    now = times[index] ?? 0;
    const frame = await blockFrame(bridge, new Uint8Array(size));
    const nonce = unpackNonce(frame.enc);
    assert.equal(nonce?.counter, index, 'the counter runs on across rekeys');
    epochs.push(nonce.epoch);
    assert.ok((await app.open(frame)).ok);
  }
  return epochs;
}

describe('rekeying', () => {
  it('has the limits of the profile: 2^20 frames, 1 GiB, 60 min', () => {
    assert.deepEqual(REKEY_LIMITS, { frames: 1_048_576, bytes: 1_073_741_824, ageMs: 3_600_000 });
  });

  it('changes the key after the given number of frames, and the receiver follows', async () => {
    assert.deepEqual(await epochsOf({ ...NEVER, frames: 2 }, [1, 1, 1, 1, 1]), [0, 0, 1, 1, 2]);
  });

  it('changes the key before the given number of padded bytes is passed', async () => {
    assert.deepEqual(await epochsOf({ ...NEVER, bytes: 600 }, [1, 1, 1, 1000, 1]), [0, 0, 1, 2, 3]);
    assert.deepEqual(await epochsOf({ ...NEVER, bytes: 600 }, [1, 1, 1, 1, 1]), [0, 0, 1, 1, 2]);
  });

  it('changes the key when it is as old as allowed', async () => {
    const times = [0, 999, 1000, 1999, 2000];
    assert.deepEqual(await epochsOf({ ...NEVER, ageMs: 1000 }, [1, 1, 1, 1, 1], times), [0, 0, 1, 1, 2]);
  });

  it('carries frames in epoch 254 and then asks for a fresh handshake [K7]', async () => {
    const state = { key: crypto.randomBytes(32), epoch: 253, counter: 9 };
    const options = { crypto, clock: { monotonic: () => 0 }, route, ch, state, rekeys: 'noise' } as const;
    const sealer = await FrameSealer.create({ ...options, limits: { ...NEVER, frames: 1 } });
    const opener = await FrameOpener.create(options);
    const fields = { ...TEXT, type: 'block' } as const;
    for (const epoch of [253, 254]) {
      const sealed = await sealer.seal(fields, new Uint8Array(1));
      assert.ok(sealed.ok);
      assert.equal(unpackNonce(sealed.value)?.epoch, epoch);
      assert.ok((await opener.open({ ...fields, sessionId: 's', enc: sealed.value })).ok);
    }
    assert.deepEqual(await sealer.seal(fields, new Uint8Array(1)), { ok: false, code: 'exhausted' });
    assert.deepEqual(sealer.position, { epoch: 254, counter: 11 }, 'a refusal takes no number');
  });

  it('never passes the last counter', async () => {
    const state = { key: crypto.randomBytes(32), epoch: 0, counter: 2 ** 48 - 1 };
    const options = { crypto, clock: { monotonic: () => 0 }, route, ch, state, rekeys: 'noise' } as const;
    const sealer = await FrameSealer.create(options);
    const fields = { ...TEXT, type: 'block' } as const;
    const last = await sealer.seal(fields, new Uint8Array(1));
    assert.ok(last.ok);
    assert.equal(unpackNonce(last.value)?.counter, 2 ** 48 - 1);
    assert.deepEqual(await sealer.seal(fields, new Uint8Array(1)), { ok: false, code: 'exhausted' });
  });

  it('refuses at the limits where rekeying is not allowed, as in a group [K18]', async () => {
    const state = { key: crypto.randomBytes(32) };
    const options = { crypto, clock: { monotonic: () => 0 }, route, ch, state, rekeys: 'never' } as const;
    const sealer = await FrameSealer.create({ ...options, limits: { ...NEVER, frames: 1 } });
    const fields = { ...TEXT, type: 'block' } as const;
    assert.ok((await sealer.seal(fields, new Uint8Array(1))).ok);
    assert.deepEqual(await sealer.seal(fields, new Uint8Array(1)), { ok: false, code: 'exhausted' });
  });
});
