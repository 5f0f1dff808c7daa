import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PermissionOption, PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';
import { agentId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { startChain, type Chain } from '../../fakes/chain.ts';
import { untilSignal } from '../../fakes/until.ts';

describe('a request whose arguments are too long to be told with it', () => {
  let chain: Chain;
  before(async () => {
    chain = await startChain();
  });
  after(() => chain.dispose());

  async function ask(): Promise<{
    readonly session: PhoneSession;
    readonly request: PermissionRequest;
    readonly allow: PermissionOption;
  }> {
    const window = await untilSignal('a window', chain.machine.windows, windows =>
      windows.find(each => each.state !== undefined),
    );
    const session = chain.machine.startSession(window.instance, agentId.parse('demo'), 'write a long note');
    const request = await untilSignal('a request', session.pending, pending => pending[0]);
    await untilSignal('the present', session.isCurrent, current => current);
    const allow = request.options.find(option => option.kind === 'allow_once');
    assert.ok(allow);
    return { session, request, allow };
  }

  const note = (): string => join(chain.workspace, 'demo-notes.md');

  it('cannot be allowed before the phone has fetched and shown all of it, and then runs exactly that [protocol 2.5]', async () => {
    const { session, request, allow } = await ask();
    assert.deepEqual([request.input, request.content_id], [{}, request.id]);
    await session.answer(request, allow);
    assert.deepEqual(session.answers.value.get(request.id), { phase: 'failed', code: 'digest_mismatch' });
    await session.longInputs.read(request);
    const shown = session.longInputs.of(request)?.append;
    assert.ok(typeof shown === 'string' && Buffer.byteLength(shown) > limits.shownInputBytes);
    assert.equal(existsSync(note()), false);
    await session.answer(request, allow);
    await untilSignal('an outcome', session.conversation, ({ results }) => results.size > 0 || undefined);
    assert.equal(readFileSync(note(), 'utf8'), shown);
  });

  it('is refused by the machine too when a phone claims to have read it', async () => {
    const { session, request, allow } = await ask();
    const desk = chain.bridge.sessions.find(session.id);
    const [device] = chain.bridge.devices;
    assert.ok(desk && device);
    const actor = { kind: 'device' as const, deviceId: device.device_id, name: device.name };
    const claimed = desk.answer(request.id, allow.id, request.digest, actor);
    assert.deepEqual(claimed, { ok: false, code: 'digest_mismatch' });
    const deny = request.options.find(option => option.kind === 'deny');
    assert.ok(deny);
    await session.answer(request, deny);
    const denied = await untilSignal('the answer', session.conversation, ({ resolutions }) =>
      resolutions.get(request.id),
    );
    assert.deepEqual([denied.granted, denied.by], [false, 'device']);
  });

  it('is fetched anew after the connection was lost', async () => {
    const { session, request, allow } = await ask();
    await session.longInputs.read(request);
    assert.ok(session.longInputs.of(request));
    chain.cutPhone();
    await untilSignal('the loss', session.isCurrent, current => !current || undefined);
    assert.equal(session.longInputs.of(request), undefined);
    await untilSignal('the present', session.isCurrent, current => current || undefined);
    await session.longInputs.read(request);
    await session.answer(request, allow);
    const allowed = await untilSignal('the answer', session.conversation, ({ resolutions }) =>
      resolutions.get(request.id),
    );
    assert.equal(allowed.granted, true);
  });
});
