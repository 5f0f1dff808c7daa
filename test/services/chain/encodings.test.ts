import assert from 'node:assert/strict';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import type { Encoding } from '../../../core/protocol/envelope/subprotocol.ts';
import { agentId } from '../../../core/protocol/ids.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { isEnvelope } from '../../fakes/envelopeBytes.ts';
import { startChain, untilOnline, type Chain } from '../../fakes/chain.ts';
import { untilSignal } from '../../fakes/until.ts';

describe('the chain from phone to agent, whichever encoding its ends speak [D7]', () => {
  let chain: Chain;
  before(async () => {
    chain = await startChain({ proxied: true });
  });
  after(() => chain.dispose());

  async function start(prompt: string): Promise<PhoneSession> {
    const window = await untilSignal('a window', chain.machine.windows, windows =>
      windows.find(w => w.state !== undefined && w.channel.phase === 'open'),
    );
    return chain.machine.startSession(window.instance, agentId.parse('demo'), prompt);
  }

  /** An asked, answered and finished turn. */
  async function turn(): Promise<void> {
    const session = await start('write a note');
    const request = await untilSignal('a request', session.pending, pending => pending[0]);
    await untilSignal('the present', session.isCurrent, current => current);
    const [allow] = request.options;
    assert.ok(allow);
    await session.answer(request, allow);
    await untilSignal('the end', session.conversation, ({ entries }) =>
      [...entries.values()].some(entry => entry.type === 'session_end'),
    );
    assert.equal(session.conversation.value.seq, chain.bridge.sessions.find(session.id)?.lastSeq);
    assert.equal(session.conversation.value.broken, false);
  }

  /** In which form envelopes went between the relay and a side since `from`. */
  function forms(from: number, side: 'window' | 'phone'): ReadonlySet<Encoding> {
    const found = new Set<Encoding>();
    for (const { side: way, text, isBinary } of chain.proxy?.seen.slice(from) ?? []) {
      const frame = jsonValue(text);
      if (!isEnvelope(frame) || !('type' in frame)) continue;
      // A window sends blocks and is sent controls, a phone the reverse.
      const isOfWindow = (way === 'toRelay') === (frame.type === 'block');
      if (isOfWindow === (side === 'window')) found.add(isBinary ? 'binary' : 'json');
    }
    return found;
  }

  async function reconnect(options: { window: Encoding; phone: Encoding }): Promise<void> {
    assert.ok(chain.proxy);
    chain.proxy.encodings = options.window === 'binary' ? ['binary', 'json'] : ['json'];
    await chain.restartBridge();
    await untilOnline(chain.bridge);
    chain.proxy.encodings = options.phone === 'binary' ? ['binary', 'json'] : ['json'];
    chain.cutPhone();
    await untilSignal('offline', chain.machine.connection, state => state.phase !== 'online');
    await untilSignal('online', chain.machine.connection, state => state.phase === 'online');
  }

  it('pairs and runs a turn in binary by itself', async () => {
    await turn();
    assert.deepEqual(forms(0, 'window'), new Set(['binary']));
    assert.deepEqual(forms(0, 'phone'), new Set(['binary']));
  });

  for (const [window, phone] of [
    ['binary', 'json'],
    ['json', 'binary'],
    ['json', 'json'],
  ] as const) {
    it(`runs a turn with a window in ${window} and a phone in ${phone}`, async () => {
      await reconnect({ window, phone });
      const from = chain.proxy?.seen.length ?? 0;
      await turn();
      assert.deepEqual(forms(from, 'window'), new Set([window]));
      assert.deepEqual(forms(from, 'phone'), new Set([phone]));
    });
  }
});
