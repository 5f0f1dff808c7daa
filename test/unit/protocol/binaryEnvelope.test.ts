import assert from 'node:assert/strict';
import fc from 'fast-check';
import { linkAad, frameMac } from '../../../core/crypto/envMac.ts';
import {
  decodeBinaryEnvelope,
  encodeBinaryEnvelope,
  hints,
} from '../../../core/protocol/envelope/binaryEnvelope.ts';
import {
  envelopeOf,
  frameOf,
  maxTimeMs,
  type Envelope,
} from '../../../core/protocol/envelope/envelopeValue.ts';
import { deviceId, sessionId } from '../../../core/protocol/ids.ts';
import { blockFrame, controlFrame } from '../../../core/protocol/relayFrame.ts';
import { nodeLink } from '../../../platform/node/nodeLink.ts';
import { leastRuns } from '../../fakes/leastRuns.ts';

const idText = fc.stringMatching(/^[A-Za-z0-9_.:-]{1,128}$/);
const enc = fc.uint8Array({ minLength: 28, maxLength: 600 });
const timeMs = fc.integer({ min: 0, max: maxTimeMs });
const sig = fc.oneof(
  fc.uint8Array({ minLength: 16, maxLength: 16 }),
  fc.uint8Array({ minLength: 64, maxLength: 64 }),
);

const block: fc.Arbitrary<Envelope> = fc
  .record(
    {
      sessionId: idText,
      timeMs,
      enc,
      hint: fc.constantFrom(...hints),
      replay: fc.boolean(),
      dest: idText,
      sig,
    },
    { requiredKeys: ['sessionId', 'timeMs', 'enc', 'hint', 'replay'] },
  )
  .map(value => ({ type: 'block', ...value, sessionId: sessionId.parse(value.sessionId) }));
const control: fc.Arbitrary<Envelope> = fc
  .record({
    sessionId: idText,
    timeMs,
    enc,
    device: fc.option(
      idText.filter(id => !id.startsWith('grp_')),
      { nil: undefined },
    ),
  })
  .map(({ device, ...value }) => ({
    type: 'control',
    ...value,
    sessionId: sessionId.parse(value.sessionId),
    ...(device === undefined ? {} : { deviceId: deviceId.parse(device) }),
  }));
const envelope = fc.oneof(block, control);

/** What a peer of the JSON encoding receives. */
function throughJson(value: Envelope): Envelope | undefined {
  const wire: unknown = JSON.parse(JSON.stringify(frameOf(value)));
  return envelopeOf(value.type === 'block' ? blockFrame.parse(wire) : controlFrame.parse(wire));
}

function plain(value: Envelope | undefined): unknown {
  if (value === undefined) return undefined;
  const bytes = (part: Uint8Array | undefined) => part && Buffer.from(part).toString('hex');
  return { ...value, enc: bytes(value.enc), ...(value.type === 'block' ? { sig: bytes(value.sig) } : {}) };
}

describe('the two encodings of an envelope [T34] [D7]', () => {
  it('carry the same value', () => {
    fc.assert(
      fc.property(envelope, value => {
        const decoded = decodeBinaryEnvelope(encodeBinaryEnvelope(value));
        assert.ok(decoded.ok);
        assert.deepEqual(plain(decoded.value), plain(value));
        assert.deepEqual(plain(throughJson(value)), plain(value));
      }),
    );
  });

  it('are authenticated alike: the same additional data and the same sig [T35] [T36] [T37]', () => {
    const key = new Uint8Array(32).fill(7);
    fc.assert(
      fc.property(block, fc.nat(1_000), (value, connSeq) => {
        const binary = decodeBinaryEnvelope(encodeBinaryEnvelope(value));
        const json = throughJson(value);
        assert.ok(binary.ok && binary.value.type === 'block' && json?.type === 'block');
        const [one, other] = [binary.value, json].map(each => ({
          sessionId: each.sessionId,
          dest: each.dest,
          blockType: each.hint,
          replay: each.replay,
          serverTsMs: each.timeMs,
          enc: each.enc,
        }));
        assert.ok(one && other);
        assert.deepEqual(linkAad(one), linkAad(other));
        assert.deepEqual(frameMac(nodeLink, key, connSeq, one), frameMac(nodeLink, key, connSeq, other));
      }),
    );
  });

  it('refuse what no encoder makes: any cut, a wrong length, an unknown kind, flag or hint', () => {
    fc.assert(
      fc.property(envelope, fc.nat(), (value, seed) => {
        const bytes = encodeBinaryEnvelope(value);
        const cut = bytes.subarray(0, seed % (bytes.length - value.enc.length + 28));
        assert.equal(decodeBinaryEnvelope(cut).ok, false);
        for (const [at, wrong] of [
          [0, 0x13],
          [1, 0x10],
          [2, 6],
          [11, 0],
          [11, 255],
        ] as const) {
          const broken = Uint8Array.from(bytes);
          broken[at] = wrong;
          assert.equal(decodeBinaryEnvelope(broken).ok && at !== 11, false, `byte ${String(at)}`);
        }
      }),
    );
  });

  it('never throw, whatever comes [M11]', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), bytes => {
        const decoded = decodeBinaryEnvelope(bytes);
        if (decoded.ok)
          assert.deepEqual(
            Buffer.from(encodeBinaryEnvelope(decoded.value)),
            Buffer.from(bytes),
            'one form a value',
          );
      }),
      leastRuns(2_000),
    );
  });

  it('are, in JSON, the documented frame: its type, session and coarse class, and no other word for the relay [T31] [T32] [T33]', () => {
    const value = {
      type: 'block',
      sessionId: sessionId.parse('s1'),
      timeMs: 1_800_000_000_250,
      enc: new Uint8Array(28),
      hint: 'attention',
      replay: true,
      dest: 'd_1',
    } as const;
    const frame = {
      type: 'block',
      session_id: 's1',
      block_type: 'attention',
      enc: Buffer.alloc(28).toString('base64'),
      replay: true,
      server_ts: 1_800_000_000.25,
      dest: 'd_1',
    };
    assert.deepEqual(frameOf(value), frame);
    assert.equal(blockFrame.safeParse(frame).success, true);
    for (const block_type of ['permission_request', 'text ', ''])
      assert.equal(blockFrame.safeParse({ ...frame, block_type }).success, false, block_type);
  });

  it('cost a small header in binary: a tenth of what JSON adds', () => {
    const value: Envelope = {
      type: 'block',
      sessionId: sessionId.parse('a'.repeat(32)),
      timeMs: 1_800_000_000_000,
      enc: new Uint8Array(284),
      hint: 'text',
      replay: false,
    };
    const binary = encodeBinaryEnvelope(value).length - value.enc.length;
    const json = JSON.stringify(frameOf(value)).length - value.enc.length;
    assert.ok(binary <= 44, String(binary));
    assert.ok(json > 4 * binary, String(json));
  });
});
