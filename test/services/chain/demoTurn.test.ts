import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { agentId } from '../../../core/protocol/ids.ts';
import { startChain, type Chain } from '../../fakes/chain.ts';
import { untilSignal } from '../../fakes/until.ts';

describe('the chain from phone to demo agent', () => {
  let chain: Chain;
  before(async () => {
    chain = await startChain();
  });
  after(() => chain.dispose());

  async function start(prompt: string): Promise<PhoneSession> {
    const window = await untilSignal('a window', chain.machine.windows, windows => windows.find(w => w.state !== undefined));
    return chain.machine.startSession(window.instance, agentId.parse('demo'), prompt);
  }

  function ended(session: PhoneSession): Promise<string> {
    return untilSignal('the end of the turn', session.conversation, conversation => {
      for (const entry of conversation.entries.values()) if (entry.type === 'session_end') return entry.reason;
      return undefined;
    });
  }

  it('shows a turn while it streams, and its end once [T25] [T28]', async () => {
    const session = await start('hello');
    const seen = new Set<string>();
    const stop = session.conversation.subscribe(conversation => {
      for (const entry of conversation.entries.values()) if (entry.type === 'text' && !entry.done) seen.add(entry.text);
    });
    assert.equal(await ended(session), 'completed');
    stop();
    assert.ok(seen.size > 1, `saw ${String(seen.size)} growing texts`);
    const kinds = [...session.conversation.value.entries.values()].map(entry => entry.type);
    assert.deepEqual(kinds, ['user_echo', 'thinking', 'text', 'session_end']);
    assert.equal(session.outbox.value.length, 0);
  });

  it('does what was approved, and shows the diff of it', async () => {
    const session = await start('write a note about tests');
    const request = await untilSignal('a request', session.pending, pending => pending[0]);
    assert.equal(existsSync(join(chain.workspace, 'demo-notes.md')), false);
    await untilSignal('the present', session.isCurrent, current => current);
    const [allow] = request.options;
    assert.ok(allow);
    await session.answer(request, allow);
    assert.equal(await ended(session), 'completed');
    assert.equal(readFileSync(join(chain.workspace, 'demo-notes.md'), 'utf8'), '- write a note about tests\n');
    const kinds = [...session.conversation.value.entries.values()].map(entry => entry.type);
    assert.ok(kinds.includes('diff'));
    const resolution = session.conversation.value.resolutions.get(request.id);
    assert.equal(resolution?.by_name, 'Test phone');
  });
});
