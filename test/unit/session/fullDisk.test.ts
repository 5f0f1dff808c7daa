import assert from 'node:assert/strict';
import { blockId, type TurnId } from '../../../core/protocol/ids.ts';
import { FakeAgent } from '../../fakes/fakeAgent.ts';
import { command } from './approval/approvalRig.ts';
import { unhandledDuring, withFullDisk, withoutSync } from './brokenDisk.ts';
import { SessionRig } from './sessionRig.ts';

const desk = { kind: 'desktop' as const };

describe('a session on a full disk', () => {
  let rig: SessionRig;
  beforeEach(async () => {
    rig = new SessionRig();
    rig.session.prompt('go', 'c1', desk);
    await rig.settle();
  });
  afterEach(() => rig.dispose());

  const accepted = { type: 'prompt_accepted' as const };
  const text = (id: string) =>
    ({ type: 'block', block: { type: 'text', id: blockId.parse(id), text: 'x', done: true } }) as const;

  const growing = (words: string) =>
    ({ type: 'block', block: { type: 'text', id: blockId.parse('t1'), text: words, done: false } }) as const;

  function turn(): TurnId {
    const { turn_id } = rig.session.summary;
    assert.ok(turn_id);
    return turn_id;
  }

  async function pass(ms: number): Promise<void> {
    rig.clock.pass(ms);
    await rig.settle();
  }

  /** Every turn has exactly one end, but for the one that runs. */
  function assertEnds(): void {
    const turns = new Set(rig.blocks.flatMap(({ turn_id }) => turn_id ?? []));
    const ends = rig.blocks.flatMap(block => (block.type === 'session_end' ? [block.turn_id] : []));
    const { turn_id: running } = rig.session.summary;
    assert.deepEqual([...ends, ...(running === undefined ? [] : [running])], [...turns]);
  }

  it('stops its agent at once, and says and holds what a stop does once there is room, before anything goes [C48] [F58]', async () => {
    await rig.say(accepted, { type: 'proposal', action: command('a1', 'rm x') });
    rig.session.prompt('two', 'c2', desk);
    await withFullDisk(() => {
      assert.ok(rig.session.interrupt(turn()).ok);
    });
    assert.ok(rig.orders.includes('interrupt'), rig.orders.join());
    await pass(1_000);
    assert.deepEqual(rig.written.slice(-3), ['stopping', 'resolved a1 false interrupt', 'prompt two held']);
    await rig.say({ type: 'turn_end', reason: 'interrupted' });
    assertEnds();
  });

  it('holds what waits also when the turn has ended before the stop could be written', async () => {
    await rig.say(accepted);
    rig.session.prompt('two', 'c2', desk);
    await withFullDisk(() => {
      assert.ok(rig.session.interrupt(turn()).ok);
    });
    await rig.say({ type: 'turn_end', reason: 'interrupted' });
    assert.deepEqual(rig.prompts, ['go delivered', 'two held']);
    assert.deepEqual(rig.agent.orders, ['send go as turn', 'interrupt']);
    assert.equal(rig.written.includes('stopping'), false, 'it is of a turn that has ended');
    assertEnds();
  });

  it('ends its agent, and tells it again when it is asked again, and is ended once there is room', async () => {
    await rig.say(accepted, { type: 'proposal', action: command('a1', 'rm x') });
    const { agent } = rig;
    let stops = 0;
    agent.stop = () => (stops += 1);
    await withFullDisk(() => assert.throws(() => rig.session.end(), { code: 'ENOSPC' }));
    assert.equal(stops, 1);
    assert.ok(rig.session.end().ok);
    assert.equal(stops, 2);
    await rig.say({ type: 'exit', expected: true, detail: '' });
    assert.equal(rig.session.summary.activity, 'ended');
    assert.deepEqual(rig.written.slice(-3), ['resolved a1 false interrupt', 'ended', 'end stopped']);
    assertEnds();
  });

  it('is ended once there is room, also when nobody asks again', async () => {
    await rig.say(accepted);
    await withFullDisk(async () => {
      assert.throws(() => rig.session.end(), { code: 'ENOSPC' });
      await rig.settle();
    });
    assert.equal(rig.written.includes('ended'), false);
    await pass(30_000);
    assert.deepEqual(rig.written.slice(-2), ['end stopped', 'ended']);
    await rig.restart();
    assert.equal(rig.session.life, 'terminated');
    assertEnds();
  });

  it('writes the end of a crashed turn as soon as there is room, once, and in its turn', async () => {
    await rig.say(accepted);
    await withFullDisk(() => rig.crash());
    assert.equal(rig.session.summary.activity, 'running', 'nothing says yet that it ended');
    await pass(30_000);
    assert.deepEqual(rig.written.slice(-2), ['error agent_crashed', 'end error']);
    rig.session.prompt('again', 'c2', desk);
    await rig.settle();
    await rig.runTurn();
    assert.deepEqual(rig.prompts, ['go delivered', 'again delivered']);
    assertEnds();
  });

  it('loses no prompt that was on its way: it reads not delivered, also after a restart, and can be put away', async () => {
    await withFullDisk(() => rig.crash());
    rig.session.prompt('next', 'c2', desk);
    await rig.settle();
    await rig.runTurn();
    assert.deepEqual(rig.prompts, ['go not_delivered', 'next delivered']);
    await rig.restart();
    assert.deepEqual(rig.prompts, ['go not_delivered', 'next delivered']);
    assert.ok(rig.session.cancelQueued('c1').ok);
    assertEnds();
  });

  it('goes on by itself with what waits, once there is room', async () => {
    rig.session.prompt('waits', 'c2', desk);
    await rig.crash();
    const unhandled = await unhandledDuring(() => withFullDisk(() => pass(30_000)));
    assert.deepEqual(rig.prompts, ['go not_delivered', 'waits queued']);
    await pass(30_000);
    assert.deepEqual(unhandled, []);
    assert.deepEqual(rig.agent.orders, ['send waits as turn']);
  });

  it('ends the turn of an agent whose words it cannot write, and that once', async () => {
    await rig.say(accepted);
    const unhandled = await unhandledDuring(() => withFullDisk(() => rig.say(text('t1'))));
    assert.deepEqual(unhandled, []);
    assert.ok(rig.orders.includes('stop'), 'it does nothing that nobody can read');
    await pass(30_000);
    rig.session.prompt('again', 'c2', desk);
    await rig.settle();
    await rig.runTurn();
    assert.deepEqual(rig.prompts, ['go delivered', 'again delivered']);
    assertEnds();
  });

  it('ends a turn once whose end it could not write', async () => {
    await rig.say(accepted);
    const unhandled = await unhandledDuring(() =>
      withFullDisk(() => rig.say({ type: 'turn_end', reason: 'completed' })),
    );
    assert.deepEqual(unhandled, []);
    await pass(30_000);
    assert.equal(rig.session.summary.activity, 'idle');
    assertEnds();
  });

  it('gives no prompt that it cannot keep; who sent it reads that it was not delivered, and others follow', async () => {
    await rig.runTurn();
    // The first is the prompt's own, the second says that it is on its way.
    await withoutSync(
      () => assert.ok(rig.session.prompt('two', 'c2', desk).ok, 'it was taken'),
      count => count === 2,
    );
    await pass(1_000);
    assert.deepEqual(rig.prompts, ['go delivered', 'two not_delivered']);
    assert.equal(rig.session.summary.activity, 'idle');
    rig.session.prompt('three', 'c3', desk);
    await rig.settle();
    await rig.runTurn();
    assert.deepEqual(rig.agent.orders, ['send go as turn', 'send three as turn']);
    assertEnds();
  });

  it('tries the later the longer it lasts, and not at all once it was let go', async () => {
    await rig.say(accepted);
    let tries = 0;
    const count = (writes: number): boolean => {
      tries = writes;
      return true;
    };
    await withFullDisk(async () => {
      await rig.crash();
      await pass(120_000);
      const inTwoMinutes = tries;
      assert.ok(inTwoMinutes >= 5 && inTwoMinutes <= 20, String(inTwoMinutes));
      rig.session.dispose();
      await pass(120_000);
      assert.equal(tries, inTwoMinutes);
    }, count);
  });

  it('holds what waits when the agent does not come back, as soon as that can be written', async () => {
    rig.session.prompt('waits', 'c2', desk);
    rig.startFailure = 'agent_missing';
    await rig.crash();
    await withFullDisk(() => pass(30_000));
    assert.deepEqual(rig.prompts, ['go not_delivered', 'waits queued']);
    await pass(30_000);
    assert.deepEqual(rig.prompts, ['go not_delivered', 'waits held']);
  });

  it('allows nothing any more once it was told to stop or to end, also before that could be written', async () => {
    await rig.say(accepted, { type: 'proposal', action: command('a1', 'rm x') });
    rig.agent.stop = () => undefined;
    const [request] = rig.session.pending;
    assert.ok(request);
    const allow = () => rig.session.answer(request.id, 'allow', request.digest, desk);
    await withFullDisk(() => {
      assert.ok(rig.session.interrupt(turn()).ok);
    });
    assert.deepEqual(allow(), { ok: false, code: 'stale_approval' });
    await withFullDisk(() => assert.throws(() => rig.session.end(), { code: 'ENOSPC' }));
    assert.deepEqual(allow(), { ok: false, code: 'stale_approval' });
    assert.equal(rig.orders.includes('allow a1'), false);
  });

  it('gives a prompt that came after a stop, and holds only what waited before it', async () => {
    await rig.say(accepted);
    rig.session.prompt('two', 'c2', desk);
    await withFullDisk(() => {
      assert.ok(rig.session.interrupt(turn()).ok);
    });
    assert.ok(rig.session.prompt('three', 'c3', desk).ok);
    await rig.say({ type: 'turn_end', reason: 'interrupted' });
    await rig.runTurn();
    assert.deepEqual(rig.prompts, ['go delivered', 'two held', 'three delivered']);
  });

  it('tells a growing text all the same, and writes it once there is room', async () => {
    await rig.say(accepted, growing('a'));
    rig.clock.pass(2_990);
    await rig.say(growing('ab'), growing('abc'));
    await withFullDisk(() => assert.doesNotThrow(() => rig.clock.pass(113)));
    await rig.say(growing('abcd'));
    await pass(113);
    const kept = rig.blocks.flatMap(block => (block.type === 'text' ? [block.text] : []));
    assert.deepEqual(kept, ['abcd']);
  });

  it('keeps a text that grew when its turn could not be ended at once', async () => {
    await rig.say(accepted, growing('all of it'));
    await withFullDisk(() => rig.say({ type: 'turn_end', reason: 'completed' }));
    await pass(30_000);
    const kept = rig.blocks.flatMap(block => (block.type === 'text' ? [[block.text, block.done]] : []));
    assert.deepEqual(kept, [['all of it', true]]);
  });

  it('is let go all the same while a text grows', async () => {
    await rig.say(accepted, growing('a'));
    await withFullDisk(() => assert.doesNotThrow(() => rig.session.dispose()));
  });

  it('is brought back, and says once there is room what became of its turn', async () => {
    await rig.say(accepted);
    await withFullDisk(() => rig.restart());
    await pass(30_000);
    assert.deepEqual(rig.written.slice(-1), ['end interrupted']);
    assertEnds();
  });

  it('leaves a restart to find what it could not write', async () => {
    await rig.say(accepted);
    await withFullDisk(() => rig.crash());
    await rig.restart();
    assert.deepEqual(rig.written.slice(-1), ['end interrupted']);
    assertEnds();
    const again = new FakeAgent();
    await rig.restart(again);
    assertEnds();
  });
});
