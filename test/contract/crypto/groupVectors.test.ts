import assert from 'node:assert/strict';
import { concatBytes } from '@noble/hashes/utils.js';
import { frameMac, linkAad } from '../../../core/crypto/envMac.ts';
import { groupCh, groupSignedBytes, ratchetGroupKey } from '../../../core/crypto/groupKey.ts';
import { GroupReceiver } from '../../../core/crypto/groupReceiver.ts';
import { GroupSender } from '../../../core/crypto/groupSender.ts';
import { nobleEd25519Verify } from '../../../core/crypto/nobleLink.ts';
import { pad } from '../../../core/crypto/padding.ts';
import { nodeSigner } from '../../../platform/node/nodeSigner.ts';
import { cryptoPorts } from './ports.ts';
import { profileVectors } from './profileVectors.ts';
import { receivedFrame } from './vectorParts.ts';

const { group, relay_link: link } = profileVectors;
const shared = { clock: { monotonic: () => 0 }, sessionId: group.session_id, dest: group.dest };
const { sign } = nodeSigner(link.K_b_seed);

for (const { name, port } of cryptoPorts) {
  describe(`group vectors over the ${name} port`, () => {
    it('ratchets on a join and names each key by its hash [K18]', () => {
      const joined = ratchetGroupKey(port, group.key_epoch_0);
      assert.deepEqual(joined, group.key_after_join);
      assert.deepEqual(ratchetGroupKey(port, joined), group.second_join_ratchet_out);
      const named = [
        [group.key_epoch_0, group.ch_epoch_0],
        [joined, group.ch_after_join],
        [group.key_after_leave_given, group.ch_after_leave],
      ] as const;
      for (const [key, ch] of named) assert.deepEqual(groupCh(port, key), ch);
    });

    for (const vector of group.frames) {
      it(`seals and opens: ${vector.label} [K19]`, async () => {
        const frame = receivedFrame(vector.frame);
        assert.deepEqual(linkAad(frame), vector.aad);
        const signed = groupSignedBytes(port, vector.nonce, vector.aad, vector.body);
        assert.deepEqual(signed, vector.inner_signed_bytes);
        assert.deepEqual(sign(signed), vector.inner_sig);
        assert.deepEqual(pad(concatBytes(vector.inner_sig, vector.body)), vector.padded_plaintext);
        assert.deepEqual(frame.enc, concatBytes(vector.nonce, vector.ciphertext_and_tag));
        if (vector.relay_sig_example !== undefined) {
          const { conn_seq, sig } = vector.relay_sig_example;
          assert.deepEqual(frameMac(port, link.mac_key, conn_seq, frame).slice(), sig);
        }

        const state = { key: vector.key, epoch: vector.epoch, counter: vector.counter };
        const sender = await GroupSender.create({ ...shared, crypto: port, state, sign });
        assert.deepEqual(await sender.seal(frame, vector.body), { ok: true, value: frame.enc });
        assert.deepEqual(await sender.retire(), { epoch: vector.epoch + 1, counter: vector.counter + 1 });
        const receiver = await GroupReceiver.create({
          ...shared,
          crypto: port,
          state,
          ed25519Verify: nobleEd25519Verify,
          bridgeIdentity: group.K_b_pub,
        });
        const opened = await receiver.open(frame);
        assert.ok(opened.ok);
        assert.deepEqual(opened.value.slice(), vector.body);
      });
    }
  });
}
