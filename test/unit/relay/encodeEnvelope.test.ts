import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deviceId } from '../../../core/protocol/ids.ts';
import { blockFrame, controlFrame } from '../../../core/protocol/relayFrame.ts';
import { encodeBlock, encodeControl } from '../../../relay/routing/encodeFrame.ts';

const id = fc.stringMatching(/^[A-Za-z0-9_.:-]{1,128}$/);
const enc = fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes).toString('base64'));
const seconds = fc.double({ min: 0, max: 9_007_199_254_740, noNaN: true });

describe('frames put together as text', () => {
  it('a block reads back as it was, without sig and dest [T35]', () => {
    fc.assert(
      fc.property(id, enc, seconds, fc.boolean(), (session, sealed, time, replay) => {
        const fields = { type: 'block', session_id: session, block_type: 'tool', enc: sealed, replay };
        const frame = blockFrame.parse({ ...fields, server_ts: time, sig: 'AAAA', dest: 'dev_1' });
        const read: unknown = JSON.parse(encodeBlock(frame));
        // JSON has no negative zero, and the time is the same moment.
        assert.deepEqual(read, { ...fields, server_ts: time + 0 });
      }),
    );
  });

  it('a control reads back with the device that was proven', () => {
    fc.assert(
      fc.property(id, enc, seconds, (session, sealed, time) => {
        const fields = { type: 'control', session_id: session, enc: sealed };
        const frame = controlFrame.parse({ ...fields, server_ts: time, device_id: 'dev_forged' });
        const marked: unknown = JSON.parse(encodeControl(frame, deviceId.parse('dev_true')));
        assert.deepEqual(marked, { ...fields, server_ts: time + 0, device_id: 'dev_true' });
        assert.deepEqual(JSON.parse(encodeControl(frame, undefined)), { ...fields, server_ts: time + 0 });
      }),
    );
  });
});
