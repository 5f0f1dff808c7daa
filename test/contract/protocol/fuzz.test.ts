import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { control } from '../../../core/protocol/control/control.ts';
import {
  decodeBinaryEnvelope,
  encodeBinaryEnvelope,
} from '../../../core/protocol/envelope/binaryEnvelope.ts';
import { sessionId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';
import { bridgeMessage } from '../../../core/protocol/message.ts';
import { pairOutcome } from '../../../core/protocol/pairOutcome.ts';
import { messageFormat, parseJson, type MessageFormat } from '../../../core/protocol/parseJson.ts';
import { fromApp, fromBridge, toApp, toBridge } from '../../../core/protocol/relayFrame.ts';
import {
  encodeKeeperFrame,
  KeeperFrameReader,
  keeperFrameType,
  maxKeeperFrameBytes,
} from '../../../src/keeper/keeperFrame.ts';
import { mutateBytes, mutateValue, seededUnit } from '../../fakes/mutator.ts';

/** Mutants for each decoder; npm run test:nightly sets a million. */
const mutants = Number(process.env.TERMINULL_FUZZ ?? '4000');
const seed = Number(process.env.TERMINULL_FUZZ_SEED ?? '1');

const golden = z.object({ least: z.unknown(), full: z.unknown() });
const vectors = join(import.meta.dirname, '..', '..', 'vectors', 'protocol');

/** Golden frames of some groups, in both their forms. */
function frames(...groups: readonly string[]): readonly unknown[] {
  return groups.flatMap(group =>
    readdirSync(join(vectors, group)).flatMap((name): unknown[] => {
      const { least, full } = golden.parse(JSON.parse(readFileSync(join(vectors, group, name), 'utf8')));
      return [least, full];
    }),
  );
}

const decoders: readonly (readonly [string, MessageFormat<unknown>, readonly unknown[]])[] = [
  ['a control of a phone', messageFormat(control), frames('controls')],
  [
    'a message of a bridge',
    messageFormat(bridgeMessage, 'kind'),
    [
      ...frames('messages'),
      ...frames('blocks').map(block => ({ kind: 'event', seq: 1, generation: 0, block })),
      ...frames('answers').map(result => ({ kind: 'response', request_id: 'r', result })),
    ],
  ],
  ['the last word of a pairing', messageFormat(pairOutcome), frames('pairing')],
  ['a relay frame from a phone', messageFormat(fromApp), frames('relay')],
  ['a relay frame from a bridge', messageFormat(fromBridge), frames('relay')],
  ['a relay frame to a phone', messageFormat(toApp), frames('relay')],
  ['a relay frame to a bridge', messageFormat(toBridge), frames('relay')],
];

describe('mutated frames [M11]', function () {
  this.timeout(Math.max(20_000, mutants * 2));

  for (const [name, format, all] of decoders) {
    it(`${name}: refused by a named code or taken, and reached in its depth`, () => {
      const unit = seededUnit(seed);
      // A decoder is fed what it knows: frames of the other direction would be turned away at once.
      const known = all.filter(frame => {
        const text = JSON.stringify(frame);
        const parsed = parseJson(text, format, limits.frameBytes);
        return parsed.ok || parsed.code !== 'unknown_type';
      });
      assert.ok(known.length > 0);
      const outcomes = new Map<string, number>();
      let deep = 0;
      for (let count = 0; count < mutants; count += 1) {
        const frame = known[Math.floor(unit() * known.length)];
        const plain = JSON.stringify({ frame: mutateValue(frame, unit) }).slice('{"frame":'.length, -1);
        const text =
          unit() < 0.1 ? Buffer.from(mutateBytes(Buffer.from(plain), unit)).toString('utf8') : plain;
        const parsed = parseJson(text, format, limits.frameBytes);
        // What is taken holds no more than what came.
        if (parsed.ok) assert.ok(JSON.stringify(parsed.value).length <= 2 * text.length + 64, text);
        const outcome = parsed.ok ? 'taken' : parsed.code;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        if (outcome === 'taken' || outcome === 'invalid_request') deep += 1;
      }
      assert.deepEqual(
        [...outcomes.keys()].filter(
          outcome =>
            !['taken', 'malformed', 'unknown_type', 'invalid_request', 'frame_too_large'].includes(outcome),
        ),
        [],
      );
      assert.ok(deep >= mutants * 0.3, `${String(deep)} of ${String(mutants)} reached the schema`);
      assert.ok((outcomes.get('taken') ?? 0) > 0, 'some mutants are frames');
      assert.ok((outcomes.get('invalid_request') ?? 0) > 0, 'some are not');
    });
  }

  it('a binary envelope: refused or taken, and what is taken has one form', () => {
    const unit = seededUnit(seed);
    const value = {
      type: 'block' as const,
      sessionId: sessionId.parse('session-1'),
      timeMs: 1_800_000_000_000,
      enc: new Uint8Array(60).fill(7),
      hint: 'text' as const,
      replay: false,
      dest: 'd_1',
      sig: new Uint8Array(16),
    };
    const { type, sessionId: session, timeMs, enc, hint, replay } = value;
    const bare = { type, sessionId: session, timeMs, enc, hint, replay };
    const seeds = [encodeBinaryEnvelope(value), encodeBinaryEnvelope(bare)];
    let taken = 0;
    for (let count = 0; count < mutants; count += 1) {
      const bytes = mutateBytes(seeds[count % seeds.length] ?? new Uint8Array(), unit);
      const decoded = decodeBinaryEnvelope(bytes);
      if (!decoded.ok) continue;
      taken += 1;
      assert.deepEqual(encodeBinaryEnvelope(decoded.value), bytes);
    }
    assert.ok(taken >= mutants * 0.3, `${String(taken)} of ${String(mutants)}`);
  });

  it('a stream to a keeper: cut into frames or closed, with one frame held at most', () => {
    const unit = seededUnit(seed);
    const whole = Buffer.concat([
      encodeKeeperFrame(keeperFrameType.hello, '{"version":1,"token":"x"}'),
      encodeKeeperFrame(keeperFrameType.input, 'words'),
      encodeKeeperFrame(keeperFrameType.end, '{"graceMs":0}'),
    ]);
    let cut = 0;
    for (let count = 0; count < mutants; count += 1) {
      const reader = new KeeperFrameReader();
      const bytes = Buffer.from(mutateBytes(whole, unit));
      const half = Math.floor(unit() * bytes.length);
      const first = reader.push(bytes.subarray(0, half));
      const second = first === undefined ? undefined : reader.push(bytes.subarray(half));
      if (second === undefined) continue;
      cut += 1;
      // Without end a frame that was announced and does not come: what came of it is held, and no more than one frame.
      const rest = Buffer.alloc(16_384);
      for (let piece = 0; piece < 4 && reader.heldBytes > 0; piece += 1)
        if (reader.push(rest) === undefined) break;
      assert.ok(reader.heldBytes < 4 + maxKeeperFrameBytes + rest.length);
    }
    assert.ok(cut >= mutants * 0.3, `${String(cut)} of ${String(mutants)}`);
    const reader = new KeeperFrameReader();
    const begun = Buffer.alloc(5);
    begun.writeUInt32BE(maxKeeperFrameBytes);
    begun.writeUInt8(keeperFrameType.input, 4);
    reader.push(begun);
    for (let bytes = 0; bytes < 3 * maxKeeperFrameBytes; bytes += 65_536) {
      const frames = reader.push(Buffer.alloc(65_536));
      assert.ok(reader.heldBytes <= 4 + maxKeeperFrameBytes, String(reader.heldBytes));
      if (frames === undefined) return;
    }
    assert.fail('zeros are no frames');
  });
});
