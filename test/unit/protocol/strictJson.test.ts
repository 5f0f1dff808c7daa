import assert from 'node:assert/strict';
import { strictJson } from '../../../core/protocol/strictJson.ts';
import { toldMessage } from '../../../core/protocol/toldMessage.ts';
import { jsonSchemaOf } from '../../contract/protocol/jsonSchema.ts';
import { sampleOf } from '../../contract/protocol/sampleOf.ts';
import { shapes } from '../../contract/protocol/shapes.ts';

/** Deeper than any stack: a tool's arguments are the only place without a bound of their own. */
function nested(depth: number): object {
  let value = {};
  for (let level = 0; level < depth; level += 1) value = { value };
  return value;
}

describe('what leaves this side', () => {
  it('is every shape of the protocol, as it is', () => {
    for (const { schema, group, name } of shapes) {
      const form = sampleOf(jsonSchemaOf(schema), 'full');
      const json = strictJson<unknown>(schema, form);
      assert.ok(json !== undefined, `${group}/${name}`);
      assert.deepEqual(JSON.parse(json), form);
    }
  });

  it('is nothing that its own schema refuses, and no field that it does not know', () => {
    const beat = { kind: 'heartbeat' as const, last_seq: 1 };
    const more = { ...beat, secret: 'x' };
    assert.equal(strictJson(toldMessage, more), JSON.stringify(beat));
    for (const last_seq of [-1, 0.5, NaN, Infinity])
      assert.equal(strictJson(toldMessage, { ...beat, last_seq }), undefined, String(last_seq));
  });

  it('is nothing broken or without an end deep within, and such a value throws nothing', () => {
    const event = { kind: 'event', seq: 1, generation: 0 };
    const call = { type: 'tool_call', name: 'x', title: 'x', kind: 'other', status: 'running', ts: 1 };
    for (const block of [
      { ...call, id: 'c', input: nested(100_000) },
      { type: 'tool_call', ts: 1, id: 'c' },
    ])
      assert.equal(strictJson<unknown>(toldMessage, { ...event, block }), undefined);
  });
});
