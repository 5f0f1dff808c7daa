import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bridge } from '../../../src/bridge/bridge.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { agentId } from '../../../core/protocol/ids.ts';
import { startChain, untilOnline, type Chain } from '../../fakes/chain.ts';
import { untilChange, untilSignal } from '../../fakes/until.ts';

describe('a workspace that the desk does not trust', () => {
  let chain: Chain;
  let isTrusted = false;
  before(async () => {
    chain = await startChain({ isTrusted: () => isTrusted });
  });
  after(() => chain.dispose());

  /** The editor tells a grant and a folder's restriction by starting the bridge anew. */
  async function trust(value: boolean): Promise<void> {
    isTrusted = value;
    await chain.restartBridge();
    await untilOnline(chain.bridge);
  }

  async function start(prompt: string): Promise<PhoneSession> {
    const cwd = isTrusted ? chain.workspace : '';
    const window = await untilSignal('the window', chain.machine.windows, windows =>
      windows.find(({ state }) => state?.cwd === cwd),
    );
    return chain.machine.startSession(window.instance, agentId.parse('demo'), prompt);
  }

  const journals = (): string[] => {
    const folder = join(chain.folder, 'state', 'sessions');
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  it('starts nothing, for the desk and for a phone alike, and says so', async () => {
    const atDesk = chain.bridge.createSession(agentId.parse('demo'));
    assert.deepEqual(atDesk, { ok: false, code: 'owner_unavailable' });
    const session = await start('run touch made');
    const refused = await untilSignal('a refusal', session.channel, state =>
      state.phase === 'refused' ? state : undefined,
    );
    assert.equal(refused.code, 'owner_unavailable');
    assert.deepEqual(journals(), []);
    assert.deepEqual(chain.bridge.sessions.all, []);
  });

  it('works once it is trusted, and takes up nothing when it is restricted again', async () => {
    await trust(true);
    const session = await start('hello');
    const ended = untilSignal('the end of the turn', session.conversation, ({ entries }) =>
      [...entries.values()].some(entry => entry.type === 'session_end'),
    );
    await ended;
    const kept = journals();
    assert.ok(kept.length > 0);
    const find = (bridge: Bridge) => bridge.sessions.find(session.id);
    const agent = find(chain.bridge);
    assert.ok(agent);
    agent.end();
    await untilChange('its agent ends', () => agent.agentPid === 0, agent.onDidChange);
    await trust(false);
    assert.equal(find(chain.bridge), undefined);
    await trust(true);
    assert.ok(find(chain.bridge), 'it was kept all the while');
  });
});
