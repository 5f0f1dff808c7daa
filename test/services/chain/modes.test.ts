import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentId } from '../../../core/protocol/ids.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { startChain, type Chain } from '../../fakes/chain.ts';
import { untilSignal } from '../../fakes/until.ts';

describe('what an agent may do without asking, over the chain', () => {
  let chain: Chain;
  before(async () => {
    chain = await startChain();
  });
  after(() => chain.dispose());

  async function start(prompt: string): Promise<PhoneSession> {
    const window = await untilSignal('a window', chain.machine.windows, windows =>
      windows.find(each => each.state !== undefined),
    );
    return chain.machine.startSession(window.instance, agentId.parse('demo'), prompt);
  }

  function ended(session: PhoneSession, count: number): Promise<boolean> {
    return untilSignal('the end of a turn', session.conversation, ({ entries }) => {
      const ends = [...entries.values()].filter(entry => entry.type === 'session_end');
      return ends.length === count || undefined;
    });
  }

  it('runs a command that only reads at once, and says that a rule allowed it [M65]', async () => {
    const session = await start('run pwd');
    await ended(session, 1);
    const { resolutions, results } = session.conversation.value;
    assert.deepEqual(
      [...resolutions.values()].map(({ by, granted }) => [by, granted]),
      [['policy', true]],
    );
    const [result] = results.values();
    assert.ok(result?.content.includes(chain.workspace));
  });

  it('refuses a phone full access, keeps what the desk set, and lets the phone take it back [M67] [D11]', async () => {
    const session = await start('hello');
    await ended(session, 1);
    const desk = chain.bridge.sessions.find(session.id);
    assert.ok(desk);
    assert.equal(await session.setMode('full_access'), 'not_owner');
    session.prompt('run touch refused');
    const request = await untilSignal('a request', session.pending, pending => pending[0]);
    assert.equal(request.risk, 'high');
    const deny = request.options.find(option => option.kind === 'deny');
    assert.ok(deny);
    await untilSignal('the present', session.isCurrent, current => current || undefined);
    await session.answer(request, deny);
    await ended(session, 2);
    assert.ok(desk.approvals.setMode('full_access', { kind: 'desktop' }).ok);
    session.prompt('run touch granted');
    await ended(session, 3);
    assert.equal(session.conversation.value.mode, 'full_access');
    assert.equal(await session.setMode('ask'), undefined);
    session.prompt('run touch again');
    await untilSignal('a request again', session.pending, pending => pending[0]);
    assert.deepEqual(
      ['refused', 'granted', 'again'].map(name => existsSync(join(chain.workspace, name))),
      [false, true, false],
    );
    await session.end();
  });
});
