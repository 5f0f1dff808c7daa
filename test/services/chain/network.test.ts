import assert from 'node:assert/strict';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import type { PermissionOption, PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';
import { agentId, sessionId } from '../../../core/protocol/ids.ts';
import { blockFrame, controlFrame } from '../../../core/protocol/relayFrame.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { startChain, type Chain } from '../../fakes/chain.ts';
import { ShiftableClock } from '../../fakes/shiftableClock.ts';
import { untilSignal } from '../../fakes/until.ts';
import { untilWhole } from './untilWhole.ts';

describe('a network that fails in the middle of a turn', () => {
  let chain: Chain;
  let clock: ShiftableClock;
  beforeEach(async () => {
    clock = new ShiftableClock();
    chain = await startChain({ clock, proxied: true });
  });
  afterEach(() => chain.dispose());

  /** What the phone sent so far in a session, after the handshake. */
  function controls(session: PhoneSession): number {
    return (chain.proxy?.seen ?? []).filter(({ side, text }) => {
      const frame = controlFrame.safeParse(jsonValue(text));
      return side === 'toRelay' && frame.success && frame.data.session_id === session.id;
    }).length;
  }

  /** From now on the phone hears nothing of a session, and all else. */
  function hide(session: PhoneSession): void {
    assert.ok(chain.proxy);
    chain.proxy.meddle = (side, text) => {
      const frame = blockFrame.safeParse(jsonValue(text));
      const isOfIt = frame.success && frame.data.session_id === session.id;
      return side === 'fromRelay' && isOfIt ? undefined : text;
    };
  }

  async function asked(): Promise<{
    session: PhoneSession;
    request: PermissionRequest;
    allow: PermissionOption;
  }> {
    const window = await untilSignal('a window', chain.machine.windows, windows =>
      windows.find(w => w.state !== undefined),
    );
    const session = chain.machine.startSession(window.instance, agentId.parse('demo'), 'write a note');
    const request = await untilSignal('a request', session.pending, pending => pending[0]);
    await untilSignal('the present', session.isCurrent, current => current);
    const allow = request.options.find(option => option.kind === 'allow_once');
    assert.ok(allow);
    return { session, request, allow };
  }

  async function start(prompt: string): Promise<PhoneSession> {
    const window = await untilSignal('a window', chain.machine.windows, windows =>
      windows.find(w => w.state !== undefined),
    );
    const session = chain.machine.startSession(window.instance, agentId.parse('demo'), prompt);
    await untilSignal('a growing text', session.conversation, ({ entries }) =>
      [...entries.values()].some(entry => entry.type === 'text' || entry.type === 'thinking'),
    );
    return session;
  }

  const isWhole = (session: PhoneSession, ends = 1): Promise<void> => untilWhole(chain, session, ends);

  it('is survived when the relay ends and starts again: both sides return, with no gap and no double [F45]', async () => {
    const session = await start('hello');
    await chain.restartRelay();
    await isWhole(session);
    session.prompt('hello after the relay');
    await isWhole(session, 2);
  });

  it('is survived when the path goes dead without a word: silence is noticed, and answers are off meanwhile [F39] [F41]', async () => {
    const session = await start('hello');
    assert.ok(chain.proxy);
    chain.proxy.meddle = () => undefined;
    session.prompt('sent into the void');
    assert.equal(session.outbox.value.length, 1);
    clock.shift(46_000);
    assert.equal(session.isCurrent.value, false);
    chain.proxy.meddle = (_side, text) => text;
    clock.shift(60_000);
    await isWhole(session, 2);
    const prompts = [...session.conversation.value.entries.values()].filter(
      entry => entry.type === 'user_echo',
    );
    assert.equal(prompts.length, 2, 'delivered once');
    assert.equal(session.outbox.value.length, 0);
  });

  it('lets no answer leave the phone while silence has made it doubtful what is shown [F39]', async () => {
    const { session, request, allow } = await asked();
    assert.ok(chain.proxy);
    hide(session);
    // The window tells something later than the session: the session's silence is noticed first.
    assert.ok(chain.bridge.sessions.create(sessionId.parse('another'), agentId.parse('demo')).ok);
    await untilSignal('another row', chain.machine.windows, windows =>
      windows.some(w => (w.state?.sessions.length ?? 0) > 1),
    );
    const before = controls(session);
    const tries: Promise<void>[] = [];
    // The connection is given up right after it is doubted: this asks in between, and after it.
    const stop = session.channel.subscribe(channel => {
      if (channel.phase === 'open' && channel.stale) tries.push(session.answer(request, allow));
    });
    clock.shift(46_000);
    stop();
    assert.equal(tries.length, 1);
    tries.push(session.answer(request, allow));
    assert.equal(session.answers.value.size, 0, 'nothing is on its way');
    await Promise.all(tries);
    assert.equal(controls(session), before);
    chain.proxy.meddle = (_side, text) => text;
    clock.shift(60_000);
    await untilSignal('offline', session.channel, channel => channel.phase !== 'open');
    await untilSignal('the present', session.isCurrent, current => current);
    assert.equal(chain.bridge.sessions.find(session.id)?.pending.length, 1, 'nobody has answered');
    await session.answer(request, allow);
    await isWhole(session);
  });

  it('lets no answer leave the phone before it has heard all that happened while it was away [F39]', async () => {
    const { session, request, allow } = await asked();
    assert.ok(chain.proxy);
    hide(session);
    const before = controls(session);
    chain.cutPhone();
    await untilSignal('offline', session.channel, channel => channel.phase !== 'open');
    await untilSignal('a fresh channel', session.channel, channel => channel.phase === 'open');
    assert.equal(session.isCurrent.value, false);
    assert.equal(session.pending.value.length, 1);
    const answered = session.answer(request, allow);
    assert.equal(session.answers.value.size, 0);
    await answered;
    chain.proxy.meddle = (_side, text) => text;
    chain.cutPhone();
    await untilSignal('the present', session.isCurrent, current => current);
    assert.equal(chain.bridge.sessions.find(session.id)?.pending.length, 1, 'nobody has answered');
    assert.ok(controls(session) <= before + 2, 'two greetings and nothing else');
    await session.answer(request, allow);
    await isWhole(session);
  });

  it('shows a prompt as waiting while only the way up is blocked, and sends it once [F41] [F47]', async () => {
    const session = await start('hello');
    assert.ok(chain.proxy);
    chain.proxy.meddle = (side, text) =>
      side === 'toRelay' && text.includes('"control"') ? undefined : text;
    await isWhole(session);
    session.prompt('upstream');
    assert.deepEqual(
      session.outbox.value.map(prompt => prompt.state),
      ['sending'],
    );
    chain.proxy.meddle = (_side, text) => text;
    chain.cutPhone();
    await isWhole(session, 2);
    assert.equal(session.outbox.value.length, 0);
  });

  it('is noticed when a relay leaves one frame out, doubles one or swaps two: the channel is made anew', async () => {
    for (const attack of ['drop', 'double', 'swap'] as const) {
      const session = await start('count slowly');
      assert.ok(chain.proxy);
      let held: string | undefined;
      let done = false;
      chain.proxy.meddle = (side, text) => {
        if (
          done ||
          side === 'toRelay' ||
          !text.includes(`"session_id":"${session.id}"`) ||
          !text.includes('"block"')
        )
          return text;
        if (attack === 'swap' && held === undefined) {
          held = text;
          return undefined;
        }
        done = true;
        switch (attack) {
          case 'drop':
            return undefined;
          case 'double':
            return [text, text];
          case 'swap':
            return [text, held ?? ''];
        }
      };
      await untilSignal('it noticed', session.channel, channel => channel.phase !== 'open');
      await untilSignal('it is back', session.isCurrent, current => current);
      const turn = session.conversation.value.summary?.turn_id;
      assert.ok(turn);
      await session.interrupt(turn);
      await isWhole(session);
    }
  });

  it('is not suspected when nothing happens: a quiet window is heard of in time', async () => {
    const { machine } = chain;
    await untilSignal('a window', machine.windows, windows => windows.find(w => w.state !== undefined));
    const beats = (): number =>
      (chain.proxy?.seen ?? []).filter(
        ({ side, text }) => side === 'fromRelay' && blockFrame.safeParse(jsonValue(text)).success,
      ).length;
    for (let step = 0; step < 6; step += 1) {
      const before = beats();
      clock.shift(21_000);
      // The heartbeat has to come through before the clock goes on.
      for (let look = 0; look < 1_000 && beats() === before; look += 1)
        await new Promise(resolve => setTimeout(resolve, 5));
      await new Promise(resolve => setTimeout(resolve, 60));
    }
    assert.equal(machine.connection.value.phase, 'online');
    assert.deepEqual(
      machine.windows.value.map(({ channel }) => channel),
      [{ phase: 'open', stale: false }],
    );
  });
});
