import assert from 'node:assert/strict';
import { encodeBase64 } from '../../../core/protocol/base64.ts';
import type { PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';
import type { ToolInput } from '../../../core/protocol/block/toolBlocks.ts';
import { agentId, blockId, contentId, turnId } from '../../../core/protocol/ids.ts';
import type { ResponseResult } from '../../../core/protocol/response.ts';
import { LongInputs } from '../../../phone/state/longInputs.ts';
import { longInputText } from '../../../phone/views/session/longInputText.ts';

const request: PermissionRequest = {
  type: 'permission_request',
  ts: 1,
  id: blockId.parse('a1'),
  turn_id: turnId.parse('t'),
  agent_id: agentId.parse('demo'),
  tool: 'Bash',
  title: 'x',
  input: {},
  content_id: contentId.parse('a1'),
  cwd: '/work',
  digest: 'a'.repeat(64),
  risk: 'high',
  options: [],
};
const input = { command: 'rm … '.repeat(100) };
const whole = new TextEncoder().encode(JSON.stringify(input));

/** A machine that hands out pieces of `size` bytes. */
function machine(
  bytes: Uint8Array,
  size: number,
  change: (piece: ResponseResult) => ResponseResult = x => x,
) {
  const offsets: number[] = [];
  const inputs = new LongInputs(
    asked => {
      const offset = asked.type === 'get_content' ? asked.offset : -1;
      offsets.push(offset);
      const data = encodeBase64(bytes.subarray(offset, offset + size));
      const piece = {
        type: 'content' as const,
        content_id: contentId.parse('a1'),
        offset,
        total_bytes: bytes.length,
        data,
      };
      return Promise.resolve({ ok: true, value: change(piece) });
    },
    (_, candidate: ToolInput) => JSON.stringify(candidate) === JSON.stringify(input),
  );
  return { inputs, offsets };
}

describe('long arguments on the phone', () => {
  it('are those of the request until there is something to fetch', () => {
    const { inputs } = machine(whole, 100);
    const short: PermissionRequest = { ...request, input: { command: 'ls' } };
    delete short.content_id;
    assert.deepEqual(inputs.of(short), { command: 'ls' });
    assert.equal(inputs.of(request), undefined);
  });

  it('are there once every piece is, also when a piece ends within a character', async () => {
    const { inputs, offsets } = machine(whole, 101);
    await Promise.all([inputs.read(request), inputs.read(request)]);
    assert.deepEqual(inputs.of(request), input);
    assert.equal(offsets.length, Math.ceil(whole.length / 101), 'each piece once');
    inputs.retain(() => false);
    assert.equal(inputs.of(request), undefined);
  });

  it('are not shown when they are not those that would run', async () => {
    const { inputs } = machine(new TextEncoder().encode('{"command":"ls"}'), 100);
    await inputs.read(request);
    assert.deepEqual(inputs.inputs.value.get(request.id), { phase: 'failed', code: 'digest_mismatch' });
    assert.equal(inputs.of(request), undefined);
  });

  it('end for a machine that sends nothing, something else, too much, or no JSON', async () => {
    const changes: ((piece: ResponseResult) => ResponseResult)[] = [
      piece => (piece.type === 'content' ? { ...piece, data: '' } : piece),
      piece => (piece.type === 'content' ? { ...piece, offset: piece.offset + 1 } : piece),
      piece => (piece.type === 'content' ? { ...piece, total_bytes: 2_000_000 } : piece),
      piece => (piece.type === 'content' ? { ...piece, total_bytes: 5 } : piece),
      () => ({ type: 'ping' }),
    ];
    for (const change of changes) {
      const { inputs } = machine(whole, 100, change);
      await inputs.read(request);
      assert.deepEqual(inputs.inputs.value.get(request.id), { phase: 'failed', code: 'internal' });
    }
    const { inputs } = machine(new TextEncoder().encode('{"command":'), 100);
    await inputs.read(request);
    assert.equal(inputs.inputs.value.get(request.id)?.phase, 'failed');
  });

  it('can be fetched again after a failure', async () => {
    let isBroken = true;
    const { inputs } = machine(whole, 100, piece =>
      isBroken ? { type: 'error', code: 'not_found', message: '' } : piece,
    );
    await inputs.read(request);
    assert.deepEqual(inputs.inputs.value.get(request.id), { phase: 'failed', code: 'not_found' });
    isBroken = false;
    await inputs.read(request);
    assert.deepEqual(inputs.of(request), input);
  });

  it('say how far they are, and what that means', () => {
    assert.match(longInputText(undefined), /before it can be allowed…$/);
    assert.match(longInputText({ phase: 'reading', read: 1, total: 3 }), /33 %$/);
    assert.match(longInputText({ phase: 'failed', code: 'not_found' }), /cannot be allowed yet/);
  });
});
