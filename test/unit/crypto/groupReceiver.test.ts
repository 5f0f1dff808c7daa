import assert from 'node:assert/strict';
import { concatBytes } from '@noble/hashes/utils.js';
import { FrameSealer } from '../../../core/crypto/frameSealer.ts';
import { groupCh, groupSignedBytes, ratchetGroupKey } from '../../../core/crypto/groupKey.ts';
import { GroupReceiver } from '../../../core/crypto/groupReceiver.ts';
import { GroupSender } from '../../../core/crypto/groupSender.ts';
import { nodeCrypto as crypto } from '../../../platform/node/nodeCrypto.ts';
import { nodeLink } from '../../../platform/node/nodeLink.ts';
import { nodeSigner } from '../../../platform/node/nodeSigner.ts';
import { TEXT } from './channelPair.ts';

const signer = nodeSigner(crypto.randomBytes(32));
const stream = { sessionId: 's', dest: 'grp_1', crypto, clock: { monotonic: () => 0 } };
const body = new TextEncoder().encode('{}');

const receiverOf = (key: Uint8Array, epoch: number, counter: number): Promise<GroupReceiver> =>
  GroupReceiver.create({
    ...stream,
    state: { key, epoch, counter },
    ed25519Verify: nodeLink.ed25519Verify,
    bridgeIdentity: signer.publicKey,
  });

const frameOf = (enc: Uint8Array) =>
  ({ ...TEXT, type: 'block', sessionId: 's', dest: 'grp_1', enc }) as const;

describe('a viewers’ stream', () => {
  it('runs its counter on through a join, which the joiner follows with the next key only [K18]', async () => {
    const first = crypto.randomBytes(32);
    const sender = await GroupSender.create({
      ...stream,
      state: { key: first, epoch: 0, counter: 0 },
      sign: signer.sign,
    });
    const old = await receiverOf(first, 0, 0);
    const sealed = await sender.seal(TEXT, body);
    assert.ok(sealed.ok);
    assert.ok((await old.open(frameOf(sealed.value))).ok);

    const position = await sender.retire();
    assert.deepEqual(position, { epoch: 1, counter: 1 });
    const next = ratchetGroupKey(crypto, first);
    const state = { key: next, ...position };
    const joined = await GroupSender.create({ ...stream, state, sign: signer.sign });
    const joiner = await receiverOf(next, position.epoch, position.counter);
    const after = await joined.seal(TEXT, body);
    assert.ok(after.ok);
    const opened = await joiner.open(frameOf(after.value));
    assert.ok(opened.ok);
    assert.deepEqual(opened.value.slice(), body);
    assert.deepEqual(await old.open(frameOf(after.value)), { ok: false, code: 'drop' });
    assert.deepEqual(await joiner.open(frameOf(sealed.value)), { ok: false, code: 'drop' });
  });

  it('never follows a Noise rekey, even one that is signed [K18]', async () => {
    const key = crypto.randomBytes(32);
    const sealer = await FrameSealer.create({
      ...stream,
      route: { dir: 3, sessionId: 's', dest: 'grp_1' },
      ch: groupCh(crypto, key),
      state: { key },
      limits: { frames: 1, bytes: 1e9, ageMs: 1e9 },
      rekeys: 'noise',
    });
    const receiver = await receiverOf(key, 0, 0);
    const outcomes: boolean[] = [];
    for (let i = 0; i < 2; i++) {
      const fields = { ...TEXT, type: 'block' } as const;
      const sealed = await sealer.sealComposed(fields, 64 + body.length, (nonce, aad) =>
        concatBytes(signer.sign(groupSignedBytes(crypto, nonce, aad, body)), body),
      );
      assert.ok(sealed.ok);
      outcomes.push((await receiver.open(frameOf(sealed.value))).ok);
    }
    assert.deepEqual(outcomes, [true, false]);
  });

  it('counts the signature into the size limit [K19]', async () => {
    const state = { key: crypto.randomBytes(32), epoch: 0, counter: 0 };
    const sender = await GroupSender.create({ ...stream, state, sign: signer.sign });
    assert.deepEqual(await sender.seal(TEXT, new Uint8Array(192_448)), { ok: false, code: 'too_large' });
    assert.ok((await sender.seal(TEXT, new Uint8Array(192_447))).ok);
  });

  it('asks for a new key at the limits instead of going on', async () => {
    const state = { key: crypto.randomBytes(32), epoch: 3, counter: 7 };
    const limits = { frames: 1, bytes: 1e9, ageMs: 1e9 };
    const sender = await GroupSender.create({ ...stream, state, limits, sign: signer.sign });
    assert.ok((await sender.seal(TEXT, body)).ok);
    assert.deepEqual(await sender.seal(TEXT, body), { ok: false, code: 'exhausted' });
    assert.deepEqual(await sender.retire(), { epoch: 4, counter: 8 });
  });
});
