import assert from 'node:assert/strict';
import { agentId } from '../../../core/protocol/ids.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { startChain, type Chain } from '../../fakes/chain.ts';
import { ShiftableClock } from '../../fakes/shiftableClock.ts';
import { openTcpPath, type TcpPath } from '../../fakes/tcpPath.ts';
import { untilSignal } from '../../fakes/until.ts';
import { untilWhole } from './untilWhole.ts';

describe('connections that break below every protocol, in the middle of a turn', () => {
  let path: TcpPath;
  let clock: ShiftableClock;
  let chain: Chain;
  beforeEach(async () => {
    path = await openTcpPath();
    clock = new ShiftableClock();
    chain = await startChain({ clock, path });
  });
  afterEach(async () => {
    await chain.dispose();
    await path.dispose();
  });

  async function begin(): Promise<PhoneSession> {
    const window = await untilSignal('a window', chain.machine.windows, windows =>
      windows.find(w => w.state !== undefined),
    );
    const session = chain.machine.startSession(window.instance, agentId.parse('demo'), 'hello');
    await untilSignal('a growing text', session.conversation, ({ entries }) =>
      [...entries.values()].some(entry => entry.type === 'text' || entry.type === 'thinking'),
    );
    return session;
  }

  function prompts(session: PhoneSession): number {
    return [...session.conversation.value.entries.values()].filter(({ type }) => type === 'user_echo').length;
  }

  it('are made anew when both ends are reset, and what was on its way arrives once [F41]', async () => {
    const session = await begin();
    path.cut();
    session.prompt('sent into the cut');
    await untilSignal('offline', session.channel, channel => channel.phase !== 'open');
    // Past every pause before another try.
    clock.shift(60_000);
    await untilWhole(chain, session, 2);
    assert.equal(prompts(session), 2);
    assert.equal(session.outbox.value.length, 0);
  });

  it('are made anew when they are half open and nobody is told [F39] [F41]', async () => {
    const session = await begin();
    path.goSilent();
    session.prompt('sent into the void');
    assert.equal(session.outbox.value.length, 1);
    clock.shift(46_000);
    clock.shift(60_000);
    await untilSignal('a fresh channel', session.channel, channel => channel.phase === 'open');
    await untilWhole(chain, session, 2);
    assert.equal(prompts(session), 2);
    assert.equal(session.outbox.value.length, 0);
  });
});
