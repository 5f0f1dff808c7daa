import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod/mini';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { fail, ok, type Result } from '../../../core/base/result.ts';
import { control } from '../../../core/protocol/control/control.ts';
import { pairConfirm } from '../../../core/protocol/control/pairConfirm.ts';
import {
  decodeBinaryEnvelope,
  encodeBinaryEnvelope,
} from '../../../core/protocol/envelope/binaryEnvelope.ts';
import { hostRequest, hostResponse, serveRequest, serveResponse } from '../../../core/protocol/hostFrames.ts';
import * as httpApi from '../../../core/protocol/httpApi.ts';
import { sessionId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';
import { bridgeMessage } from '../../../core/protocol/message.ts';
import { pairOutcome } from '../../../core/protocol/pairOutcome.ts';
import { messageFormat, parseJson, type MessageFormat } from '../../../core/protocol/parseJson.ts';
import { fromApp, fromBridge, toApp, toBridge } from '../../../core/protocol/relayFrame.ts';
import { parseFirstFrame } from '../../../relay/ws/greet.ts';
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
const vectors = join(import.meta.dirname, '..', '..', 'vectors');

const read = (...path: readonly string[]): unknown =>
  JSON.parse(readFileSync(join(vectors, ...path), 'utf8'));

/** A golden frame, in both its forms. */
function forms(group: string, name: string): readonly unknown[] {
  const { least, full } = golden.parse(read('protocol', group, `${name}.json`));
  return [least, full];
}

/** Golden frames of some groups, in both their forms. */
function frames(...groups: readonly string[]): readonly unknown[] {
  return groups.flatMap(group =>
    readdirSync(join(vectors, 'protocol', group)).flatMap(name => forms(group, basename(name, '.json'))),
  );
}

type Decode = (text: string) => Result<unknown, string>;

/** A frame, and what reads such a one. */
interface Fed {
  readonly frame: unknown;
  readonly decode: Decode;
}

function fed(decode: Decode, all: readonly unknown[]): readonly Fed[] {
  return all.map(frame => ({ frame, decode }));
}

function byFormat(format: MessageFormat<unknown>): Decode {
  return text => parseJson(text, format, limits.frameBytes);
}

/** As a body or a line is read that one schema is for. */
function bySchema(schema: z.ZodMiniType): Decode {
  return text => {
    const value = jsonValue(text);
    if (typeof value !== 'object' || value === null) return fail('malformed');
    const parsed = schema.safeParse(value);
    return parsed.success ? ok(parsed.data) : fail('invalid_request');
  };
}

/** The documented lines of a host, each with the schema for it. */
function hostLines(): readonly Fed[] {
  return readdirSync(join(vectors, 'host-features')).flatMap(name => {
    const side = /_serve_(?:ready|error)/.test(name) ? serveResponse : serveRequest;
    const schema = name.includes('_request_')
      ? hostRequest
      : name.includes('_response_')
        ? hostResponse
        : side;
    return fed(bySchema(schema), [read('host-features', name)]);
  });
}

const decoders: readonly (readonly [string, readonly Fed[]])[] = [
  ['a control of a phone', fed(byFormat(messageFormat(control)), frames('controls'))],
  [
    'a message of a bridge',
    fed(byFormat(messageFormat(bridgeMessage, 'kind')), [
      ...frames('messages'),
      ...frames('blocks').map(block => ({ kind: 'event', seq: 1, generation: 0, block })),
      ...frames('answers').map(result => ({ kind: 'response', request_id: 'r', result })),
    ]),
  ],
  ['the first word of a pairing', fed(bySchema(pairConfirm), forms('controls', 'pair_confirm'))],
  ['the last word of a pairing', fed(byFormat(messageFormat(pairOutcome)), frames('pairing'))],
  ['what a stranger says first', fed(parseFirstFrame, frames('relay'))],
  ['a relay frame from a phone', fed(byFormat(messageFormat(fromApp)), frames('relay'))],
  ['a relay frame from a bridge', fed(byFormat(messageFormat(fromBridge)), frames('relay'))],
  ['a relay frame to a phone', fed(byFormat(messageFormat(toApp)), frames('relay'))],
  ['a relay frame to a bridge', fed(byFormat(messageFormat(toBridge)), frames('relay'))],
  [
    'a body of an HTTP call',
    Object.entries(httpApi).flatMap(([name, schema]) => fed(bySchema(schema), forms('http', name))),
  ],
  ['a line of a host', hostLines()],
];

describe('mutated frames [M11]', function () {
  this.timeout(Math.max(20_000, mutants * 2));

  for (const [name, all] of decoders) {
    it(`${name}: refused by a named code or taken, and reached in its depth`, () => {
      const unit = seededUnit(seed);
      // A decoder is fed what it knows: frames of the other direction would be turned away at once.
      const known = all.filter(({ frame, decode }) => decode(JSON.stringify(frame)).ok);
      assert.ok(known.length > 0);
      const outcomes = new Map<string, number>();
      let deep = 0;
      for (let count = 0; count < mutants; count += 1) {
        const one = known[Math.floor(unit() * known.length)];
        assert.ok(one);
        const { frame, decode } = one;
        const plain = JSON.stringify({ frame: mutateValue(frame, unit) }).slice('{"frame":'.length, -1);
        const text =
          unit() < 0.1 ? Buffer.from(mutateBytes(Buffer.from(plain), unit)).toString('utf8') : plain;
        const parsed = decode(text);
        // What is taken holds no more than what came.
        if (parsed.ok) assert.ok(JSON.stringify(parsed.value).length <= 2 * text.length + 64, text);
        const outcome = parsed.ok ? 'taken' : parsed.code;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        if (outcome === 'taken' || outcome === 'invalid_request') deep += 1;
      }
      assert.deepEqual(
        [...outcomes.keys()].filter(
          outcome =>
            ![
              'taken',
              'malformed',
              'unknown_type',
              'invalid_request',
              'frame_too_large',
              'incompatible_version',
            ].includes(outcome),
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
