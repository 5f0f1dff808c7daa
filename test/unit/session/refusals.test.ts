import assert from 'node:assert/strict';
import type { ErrorBlock } from '../../../core/protocol/block/sessionBlocks.ts';
import { blockId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';
import { SessionRestorer } from '../../../src/session/restoreSession.ts';
import { FakeAgent } from '../../fakes/fakeAgent.ts';
import { SessionRig } from './sessionRig.ts';

const desk = { kind: 'desktop' as const };
const hour = 3_600_000;

describe('what waits when the model’s service refuses [C44]', () => {
  let rig: SessionRig;
  beforeEach(async () => {
    rig = new SessionRig();
    for (const text of ['one', 'two', 'three']) rig.session.prompt(text, text, desk);
    await rig.settle();
  });
  afterEach(() => rig.dispose());

  function sent(): readonly string[] {
    return rig.orders.flatMap(order => /^send (.*) as turn$/.exec(order)?.[1] ?? []);
  }

  function lastError(): ErrorBlock {
    const last = rig.blocks.findLast(block => block.type === 'error');
    assert.ok(last);
    return last;
  }

  async function pass(ms: number): Promise<void> {
    rig.clock.pass(ms);
    await rig.settle();
  }

  async function tellError(code: ErrorBlock['code'], more: Partial<ErrorBlock> = {}): Promise<void> {
    const id = blockId.parse(`e${String(rig.session.lastSeq)}`);
    await rig.say({ type: 'block', block: { type: 'error', id, code, message: 'x', ...more } });
  }

  async function refuse(more: Partial<ErrorBlock> = {}): Promise<void> {
    await rig.say({ type: 'prompt_accepted' });
    await tellError('rate_limited', more);
    await rig.say({ type: 'turn_end', reason: 'error' });
  }

  /** The editor comes back, and finds the agent that has been running. */
  async function restart(): Promise<void> {
    const running = new FakeAgent();
    await rig.restart(running);
    running.catchUp();
    await rig.settle();
  }

  it('waits over a restart too, until the time that was told', async () => {
    await refuse({ retry_in_ms: hour });
    await restart();
    await pass(hour - 1);
    assert.deepEqual(sent(), ['one']);
    await pass(1);
    assert.deepEqual(sent(), ['one', 'two']);
  });

  it('goes on at once after a restart when that time is over', async () => {
    await refuse({ retry_in_ms: hour });
    rig.session.dispose();
    rig.clock.pass(2 * hour);
    await restart();
    assert.deepEqual(sent(), ['one', 'two']);
  });

  it('waits until the time that was told, and not as long again after a turn that ended late', async () => {
    await rig.say({ type: 'prompt_accepted' });
    await tellError('overloaded', { retry_in_ms: 60_000 });
    rig.clock.pass(50_000);
    await rig.say({ type: 'turn_end', reason: 'error' });
    await pass(9_999);
    assert.deepEqual(sent(), ['one']);
    await pass(1);
    assert.deepEqual(sent(), ['one', 'two']);
  });

  it('waits also when the editor went between the refusal and the end of its turn', async () => {
    await rig.say({ type: 'line', end: 10 }, { type: 'prompt_accepted' });
    await tellError('rate_limited', { retry_in_ms: hour });
    await rig.restart();
    assert.deepEqual(sent(), ['one']);
    await pass(hour);
    assert.deepEqual(sent(), ['one', 'two']);
  });

  it('is not set going by a prompt that only comes again: its sender heard no answer, and says nothing new', async () => {
    await refuse({ retry_in_ms: hour });
    assert.ok(rig.session.prompt('two', 'two', desk).ok);
    await rig.settle();
    assert.deepEqual(sent(), ['one']);
  });

  it('is set going by a person, with a new prompt or with one that waits, and not paused again by a restart', async () => {
    for (const goOn of [
      () => rig.session.prompt('new', 'new', desk),
      () => rig.session.sendQueued('three'),
      () => rig.session.prompt('new', 'new', desk, 'steer'),
    ]) {
      await refuse({ retry_in_ms: hour });
      const before = sent().length;
      assert.ok(goOn().ok);
      await rig.settle();
      assert.equal(sent().length, before + 1);
      await rig.runTurn();
      assert.equal(sent().length, before + 2);
      await restart();
      await rig.say({ type: 'turn_end', reason: 'completed' });
      assert.ok(sent().length > before + 2);
      rig.dispose();
      rig = new SessionRig();
      for (const text of ['one', 'two', 'three', 'four']) rig.session.prompt(text, text, desk);
      await rig.settle();
    }
  });

  it('is held after the second refusal in a row, which says so: a limit that lasts would take all of it', async () => {
    await refuse();
    assert.equal(lastError().retry_in_ms, 15_000);
    await pass(15_000);
    assert.deepEqual(sent(), ['one', 'two']);
    await refuse({ retry_in_ms: 60_000, message: 'y'.repeat(1_000) });
    const { message, retry_in_ms } = lastError();
    assert.equal(message.length, 1_000);
    assert.match(message, /^y+… It was refused twice in a row, so what waits is held/);
    assert.equal(retry_in_ms, undefined, 'nothing goes on at a time');
    assert.deepEqual(rig.prompts.slice(2), ['three held']);
    await pass(24 * hour);
    await restart();
    assert.deepEqual(sent(), ['one', 'two']);
  });

  it('is held again at once when it is refused after a person went on, and no more once a turn has completed', async () => {
    await refuse();
    await pass(15_000);
    await refuse();
    rig.session.sendQueued('three');
    rig.session.prompt('four', 'four', desk);
    await rig.settle();
    await refuse();
    assert.deepEqual(rig.prompts.slice(2), ['three delivered', 'four held']);
    rig.session.sendQueued('four');
    await rig.settle();
    await rig.runTurn();
    for (const text of ['five', 'six']) rig.session.prompt(text, text, desk);
    await rig.settle();
    await refuse();
    await pass(15_000);
    assert.deepEqual(sent().slice(-2), ['five', 'six']);
  });

  it('is not said to be held when nothing waits', async () => {
    rig.session.cancelQueued('three');
    await refuse();
    await pass(15_000);
    await refuse();
    assert.equal(lastError().message, 'x');
  });

  it('is not held for a failure of a turn that crashed: that one counts for no other', async () => {
    await rig.say({ type: 'prompt_accepted' });
    await tellError('bad_credentials');
    await rig.crash();
    await pass(30_000);
    await rig.say({ type: 'prompt_accepted' }, { type: 'turn_end', reason: 'error' });
    assert.deepEqual(sent(), ['one', 'two', 'three']);
  });

  it('is held over a kill, also one that came before it could be written', async () => {
    await rig.say({ type: 'prompt_accepted' });
    await tellError('bad_credentials');
    await rig.restart();
    assert.deepEqual(rig.prompts, ['one delivered', 'two held', 'three held']);
  });

  it('is known from a checkpoint as from the whole journal', async () => {
    await rig.say({ type: 'prompt_accepted' });
    await tellError('rate_limited', { retry_in_ms: limits.durationMs });
    for (const step of [() => undefined, () => rig.say({ type: 'turn_end', reason: 'error' })]) {
      await step();
      const whole = new SessionRestorer();
      for (const block of rig.blocks) whole.add(block);
      const short = new SessionRestorer();
      assert.ok(short.load(JSON.parse(JSON.stringify(whole.save()))));
      assert.deepEqual(short.state.refusals, whole.state.refusals);
      assert.notDeepEqual(short.state.refusals, new SessionRestorer().state.refusals);
    }
  });
});
