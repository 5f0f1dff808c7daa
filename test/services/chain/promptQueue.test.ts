import assert from 'node:assert/strict';
import type { PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';
import type { UserEchoBlock } from '../../../core/protocol/block/textBlocks.ts';
import { agentId } from '../../../core/protocol/ids.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { transcriptOrder } from '../../../phone/views/session/transcriptOrder.ts';
import { startChain, type Chain } from '../../fakes/chain.ts';
import { untilSignal } from '../../fakes/until.ts';

describe('prompts that wait, from the phone', () => {
  let chain: Chain;
  before(async () => {
    chain = await startChain();
  });
  after(() => chain.dispose());

  async function start(prompt: string): Promise<PhoneSession> {
    const window = await untilSignal('a window', chain.machine.windows, windows =>
      windows.find(w => w.state !== undefined),
    );
    return chain.machine.startSession(window.instance, agentId.parse('demo'), prompt);
  }

  /** A session whose agent asks, so that its turn lasts for as long as a test likes. */
  async function startBusy(): Promise<{ session: PhoneSession; request: PermissionRequest }> {
    const session = await start('write a note about the queue');
    const request = await untilSignal('a request', session.pending, pending => pending[0]);
    await untilSignal('the present', session.isCurrent, current => current);
    return { session, request };
  }

  function prompts(session: PhoneSession): readonly UserEchoBlock[] {
    const { value } = session.conversation;
    return transcriptOrder(value).flatMap(id => {
      const entry = value.entries.get(id);
      return entry?.type === 'user_echo' ? [entry] : [];
    });
  }

  function shown(session: PhoneSession): readonly string[] {
    return prompts(session).map(({ text, state }) => `${text}: ${state}`);
  }

  function until(session: PhoneSession, ...lines: readonly string[]): Promise<unknown> {
    return untilSignal(lines.join(', '), session.conversation, () => {
      const all = shown(session);
      return lines.every(line => all.includes(line));
    });
  }

  function idOf(session: PhoneSession, text: string): string {
    const found = prompts(session).find(prompt => prompt.text === text);
    assert.ok(found, text);
    return found.client_msg_id;
  }

  function untilEnds(session: PhoneSession, count: number): Promise<unknown> {
    return untilSignal(
      'the end of a turn',
      session.conversation,
      ({ entries }) => [...entries.values()].filter(entry => entry.type === 'session_end').length >= count,
    );
  }

  async function deny(session: PhoneSession, request: PermissionRequest): Promise<void> {
    const option = request.options.find(each => each.kind === 'deny');
    assert.ok(option);
    await session.answer(request, option);
  }

  it('are changed and taken back, and the agent hears what they are then [M39]', async () => {
    const { session, request } = await startBusy();
    session.prompt('hello two');
    session.prompt('hello three');
    await until(session, 'hello two: queued', 'hello three: queued');
    assert.equal(await session.editQueued(idOf(session, 'hello two'), 'hello two, changed'), undefined);
    assert.equal(await session.cancelQueued(idOf(session, 'hello three')), undefined);
    await until(session, 'hello two, changed: queued');
    assert.ok(!shown(session).some(line => line.startsWith('hello three')));
    // The desk is a surface like any other.
    const desk = chain.bridge.sessions.find(session.id);
    assert.ok(desk?.prompt('hello from the desk', 'desk1', { kind: 'desktop' }, 'steer').ok);
    await until(session, 'hello from the desk: steered');
    await deny(session, request);
    await untilEnds(session, 3);
    assert.deepEqual(shown(session).slice(1), [
      'hello from the desk: delivered',
      'hello two, changed: delivered',
    ]);
    const first = prompts(session)[0]?.client_msg_id ?? '';
    assert.equal(await session.editQueued(first, 'too late'), 'stale_turn');
    assert.equal(await session.cancelQueued(first), 'stale_turn');
  });

  it('are held by a stop, shown as held, and go on when the phone says so [F58]', async () => {
    const { session, request } = await startBusy();
    session.prompt('hello held');
    session.prompt('hello after that');
    await until(session, 'hello held: queued', 'hello after that: queued');
    await session.interrupt(request.turn_id);
    await untilEnds(session, 1);
    await until(session, 'hello held: held', 'hello after that: held');
    await untilSignal('idle', session.conversation, ({ summary }) => summary?.activity === 'idle');
    assert.equal(await session.sendQueued(idOf(session, 'hello after that')), undefined);
    await untilEnds(session, 3);
    assert.deepEqual(shown(session).slice(1), ['hello after that: delivered', 'hello held: delivered']);
  });

  it('are sent again once when they were not delivered, however often that is asked for; or put away for good [F35]', async () => {
    const session = await start('vanish');
    await until(session, 'vanish: not_delivered');
    await untilSignal('the present', session.isCurrent, current => current);
    const [lost] = prompts(session);
    assert.ok(lost);
    session.sendAgain(lost);
    session.sendAgain(lost);
    await untilSignal('both', session.conversation, () => {
      const states = shown(session);
      return states.length >= 2 && states.every(line => line === 'vanish: not_delivered');
    });
    session.sendAgain(lost);
    const [, again] = prompts(session);
    assert.ok(again && again.client_msg_id !== lost.client_msg_id);
    assert.equal(await session.cancelQueued(again.client_msg_id), undefined);
    assert.equal(await session.cancelQueued(lost.client_msg_id), undefined);
    await untilSignal('nothing', session.conversation, () => shown(session).length === 0);
    // What the phone knows is made of the machine's record alone, so a reload shows the same.
    const desk = chain.bridge.sessions.find(session.id);
    assert.ok(desk);
    const ids = new Set<string>();
    for (const { block } of desk.history(0)) if (block.type === 'user_echo') ids.add(block.client_msg_id);
    assert.equal(ids.size, 2);
  });
});
