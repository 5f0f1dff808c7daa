import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod/mini';
import { hostRequest, hostResponse, serveRequest, serveResponse } from '../../../core/protocol/hostFrames.ts';

const folder = join(import.meta.dirname, '..', '..', 'vectors', 'host-features');

/** The schema of a frame, by what its file is called. */
function schemaFor(name: string): z.ZodMiniType {
  if (name.includes('_request_')) return hostRequest;
  if (name.includes('_response_')) return hostResponse;
  return /_serve_(ready|error|event)/.test(name) ? serveResponse : serveRequest;
}

const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));

describe('the documented host features [R31]', () => {
  const names = readdirSync(folder).sort();

  it('are all here', () => assert.equal(names.length, 20));

  for (const name of names) {
    it(`${name} decodes and encodes again field for field`, () => {
      const frame = read(name);
      const decoded = schemaFor(name).parse(frame);
      assert.deepEqual(decoded, frame);
      assert.deepEqual(JSON.parse(JSON.stringify(decoded)), frame);
    });
  }

  it('take no setting but the three that can be seen, and then none at all [R23]', () => {
    const request = {
      protocol_version: 1,
      request_id: 'r',
      operation: { type: 'set_settings', settings: {} },
    };
    assert.equal(
      hostRequest.safeParse(request).success,
      true,
      'a field that is absent keeps its value [R24]',
    );
    for (const settings of [{ effort: 'high', theme: 'dark' }, { api_key: 'x' }, { model: 7 }])
      assert.equal(
        hostRequest.safeParse({ ...request, operation: { type: 'set_settings', settings } }).success,
        false,
      );
  });

  it('leave out what nobody reported, and never make it zero [R19]', () => {
    const bare = {
      kind: 'response',
      protocol_version: 1,
      request_id: 'r',
      result: {
        type: 'usage',
        since: '2026-06-15',
        until: '2026-07-14',
        totals: {},
        by_day: [],
        by_harness: [],
        by_model: [],
      },
    };
    assert.deepEqual(hostResponse.parse(bare), bare);
  });

  it('take one of two choices, and read an unknown code as one that is known [R38] [R52]', () => {
    const approve = { type: 'approve', batch_id: 'controller:1:2', choice: 'maybe' };
    assert.equal(serveRequest.safeParse(approve).success, false);
    const error = { type: 'error', code: 'brand_new', message: '' };
    assert.deepEqual(serveResponse.parse(error), { ...error, code: 'session' });
  });
});
