import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeBinaryEnvelope } from '../../../core/protocol/envelope/binaryEnvelope.ts';
import {
  envelopeOf,
  frameOf,
  maxTimeMs,
  type Envelope,
} from '../../../core/protocol/envelope/envelopeValue.ts';
import { deviceId } from '../../../core/protocol/ids.ts';
import { blockFrame, controlFrame } from '../../../core/protocol/relayFrame.ts';
import { encodeBlock, encodeControl } from '../../../relay/routing/encodeEnvelope.ts';

const id = fc.stringMatching(/^[A-Za-z0-9_.:-]{1,128}$/);
const encOf = (minLength: number) =>
  fc.uint8Array({ minLength, maxLength: 200 }).map(bytes => Buffer.from(bytes).toString('base64'));
const enc = encOf(0);
const openable = encOf(28);
const seconds = fc.double({ min: 0, max: 9_007_199_254_740, noNaN: true });
const milliseconds = fc.integer({ min: 0, max: maxTimeMs });
const device = deviceId.parse('dev_true');

function text(message: string | Uint8Array | undefined): unknown {
  assert.ok(typeof message === 'string');
  return JSON.parse(message);
}

/** A binary message as the documented form. */
function bytes(message: string | Uint8Array | undefined): unknown {
  assert.ok(message instanceof Uint8Array);
  const decoded = decodeBinaryEnvelope(message);
  assert.ok(decoded.ok);
  return frameOf(decoded.value);
}

function taken(envelope: Envelope | undefined): Envelope {
  assert.ok(envelope);
  return envelope;
}

describe('envelopes on their way through a relay', () => {
  it('a block reads back as it was, without sig and dest [T35]', () => {
    fc.assert(
      fc.property(id, enc, seconds, fc.boolean(), (session, sealed, time, replay) => {
        const fields = { type: 'block', session_id: session, block_type: 'tool', enc: sealed, replay };
        const frame = blockFrame.parse({ ...fields, server_ts: time, sig: 'AAAA', dest: 'dev_1' });
        // JSON has no negative zero, and the time is the same moment.
        assert.deepEqual(text(encodeBlock(frame, 'json')), { ...fields, server_ts: time + 0 });
      }),
    );
  });

  it('a control reads back with the device that was proven', () => {
    fc.assert(
      fc.property(id, enc, seconds, (session, sealed, time) => {
        const fields = { type: 'control', session_id: session, enc: sealed };
        const frame = controlFrame.parse({ ...fields, server_ts: time, device_id: 'dev_forged' });
        const bare = { ...fields, server_ts: time + 0 };
        assert.deepEqual(text(encodeControl(frame, device, 'json')), { ...bare, device_id: 'dev_true' });
        assert.deepEqual(text(encodeControl(frame, undefined, 'json')), bare);
      }),
    );
  });

  it('say the same in either encoding, whichever they came in [D7] [T34]', () => {
    fc.assert(
      fc.property(id, openable, milliseconds, fc.boolean(), (session, sealed, ms, replay) => {
        const common = { session_id: session, enc: sealed, server_ts: ms / 1000 };
        const block = { type: 'block', ...common, block_type: 'bulk', replay };
        const sig = Buffer.alloc(16, 3).toString('base64');
        const cameAsText = blockFrame.parse({ ...block, sig, dest: 'dev_1' });
        const cameAsBytes = taken(envelopeOf(cameAsText));
        assert.ok(cameAsBytes.type === 'block');
        for (const came of [cameAsText, cameAsBytes]) {
          assert.deepEqual(text(encodeBlock(came, 'json')), block);
          assert.deepEqual(bytes(encodeBlock(came, 'binary')), block);
        }
        const control = { type: 'control', ...common };
        const textControl = controlFrame.parse({ ...control, device_id: 'dev_forged' });
        const byteControl = taken(envelopeOf(textControl));
        assert.ok(byteControl.type === 'control');
        for (const came of [textControl, byteControl]) {
          const marked = { ...control, device_id: 'dev_true' };
          assert.deepEqual(text(encodeControl(came, device, 'json')), marked);
          assert.deepEqual(bytes(encodeControl(came, device, 'binary')), marked);
          assert.deepEqual(text(encodeControl(came, undefined, 'json')), control);
          assert.deepEqual(bytes(encodeControl(came, undefined, 'binary')), control);
        }
      }),
    );
  });

  it('are dropped where they have no binary form: too short to be opened, base64 of nothing, beyond time', () => {
    const fields = { session_id: 's', enc: Buffer.alloc(28).toString('base64'), server_ts: 1 };
    for (const wrong of [
      { enc: Buffer.alloc(27).toString('base64') },
      { enc: `${'A'.repeat(38)}B=` },
      { server_ts: 2 ** 42 },
    ]) {
      const block = blockFrame.parse({
        type: 'block',
        block_type: 'text',
        replay: false,
        ...fields,
        ...wrong,
      });
      assert.equal(encodeBlock(block, 'binary'), undefined);
      const control = controlFrame.parse({ type: 'control', ...fields, ...wrong });
      assert.equal(encodeControl(control, device, 'binary'), undefined);
    }
  });
});
