import assert from 'node:assert/strict';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { agentId } from '../../../core/protocol/ids.ts';
import { blockFrame } from '../../../core/protocol/relayFrame.ts';
import { startChain, type Chain } from '../../fakes/chain.ts';
import { untilChange, untilSignal } from '../../fakes/until.ts';

describe('a session that a phone opens while its connection breaks', () => {
  let chain: Chain;
  before(async () => {
    chain = await startChain({ proxied: true });
  });
  after(() => chain.dispose());

  it('is followed after the reconnect, with its prompt once [F30] [F50]', async () => {
    const { proxy } = chain;
    assert.ok(proxy);
    const window = await untilSignal('a window', chain.machine.windows, windows =>
      windows.find(({ state }) => state !== undefined),
    );
    const session = chain.machine.startSession(window.instance, agentId.parse('demo'), 'hello');
    const opened = new Promise<void>(resolve => {
      proxy.meddle = (side, text) => {
        const frame = blockFrame.safeParse(jsonValue(text));
        if (side !== 'fromRelay' || !frame.success || frame.data.session_id !== session.id) return text;
        resolve();
        return undefined;
      };
    });
    await untilChange(
      'it is open at the machine',
      () => chain.bridge.sessions.find(session.id) !== undefined,
      chain.bridge.sessions.onDidChange,
    );
    await opened;
    proxy.meddle = (_, text) => text;
    chain.cutPhone();
    await untilSignal('the end of the turn', session.conversation, ({ entries, complete }) =>
      complete && [...entries.values()].some(entry => entry.type === 'session_end') ? true : undefined,
    );
    assert.equal(session.channel.value.phase, 'open');
    assert.deepEqual(session.outbox.value, []);
    const echoes = [...session.conversation.value.entries.values()].flatMap(entry =>
      entry.type === 'user_echo' ? [entry.text] : [],
    );
    assert.deepEqual(echoes, ['hello']);
    assert.deepEqual(
      chain.bridge.sessions.all.map(({ id }) => id),
      [session.id],
    );
  });
});
