import assert from 'node:assert/strict';
import { agentId } from '../../../core/protocol/ids.ts';
import { startChain, untilOnline, type Chain } from '../../fakes/chain.ts';
import { ShiftableClock } from '../../fakes/shiftableClock.ts';
import { untilChange, untilSignal } from '../../fakes/until.ts';

describe('revoking a phone', () => {
  let chain: Chain;
  let clock: ShiftableClock;
  beforeEach(async () => {
    clock = new ShiftableClock();
    chain = await startChain({ clock, proxied: true });
  });
  afterEach(() => chain.dispose());

  it('takes it out of every window at once, also when the relay is deaf and another window did it', async () => {
    const window = await untilSignal('a window', chain.machine.windows, windows =>
      windows.find(w => w.state !== undefined),
    );
    const session = chain.machine.startSession(window.instance, agentId.parse('demo'), 'hello');
    await untilSignal('the end', session.conversation, ({ entries }) =>
      [...entries.values()].some(entry => entry.type === 'session_end'),
    );
    const known = session.conversation.value.seq;
    assert.ok(chain.proxy);
    chain.proxy.target = 'http://127.0.0.1:9';
    const other = await chain.secondBridge();
    const [device] = other.devices;
    assert.ok(device);
    await other.revoke(device.device_id);
    assert.deepEqual(chain.bridge.devices, []);
    const desk = chain.bridge.sessions.find(session.id);
    assert.ok(desk);
    desk.prompt('not for a revoked phone', 'c2', { kind: 'desktop' });
    await untilChange(
      'the desk’s turn',
      () => [...desk.history(0)].filter(({ block }) => block.type === 'session_end').length === 2,
      desk.onDidChange,
    );
    assert.equal(session.conversation.value.seq, known, 'it was told nothing more');
    other.dispose();
  });

  it('is told to the relay later, when it could not be reached at the time', async () => {
    await untilSignal('a window', chain.machine.windows, windows => windows.find(w => w.state !== undefined));
    assert.ok(chain.proxy);
    const relay = chain.proxy.target;
    chain.proxy.target = 'http://127.0.0.1:9';
    const [device] = chain.bridge.devices;
    assert.ok(device);
    await chain.bridge.revoke(device.device_id);
    assert.equal(chain.machine.connection.value.phase, 'online', 'the relay knows nothing yet');
    chain.proxy.target = relay;
    await chain.restartBridge();
    await untilOnline(chain.bridge);
    const state = await untilSignal('out', chain.machine.connection, connection =>
      connection.phase === 'stopped' ? connection : undefined,
    );
    assert.equal(state.reason, 'revoked');
  });
});
