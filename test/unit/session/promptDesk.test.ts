import assert from 'node:assert/strict';
import { deviceId } from '../../../core/protocol/ids.ts';
import { waitingPrompts } from '../../../src/session/promptQueue.ts';
import { SessionRestorer } from '../../../src/session/restoreSession.ts';
import { SessionRig } from './sessionRig.ts';

const desk = { kind: 'desktop' as const };
const phone = {
  kind: 'device' as const,
  deviceId: deviceId.parse('d_0123456789abcdef01234567'),
  name: 'Phone',
};
const done = { ok: true, value: undefined };

describe('prompts that wait', () => {
  let rig: SessionRig;
  beforeEach(() => {
    rig = new SessionRig();
  });
  afterEach(() => rig.dispose());

  /** A turn runs, and these wait. */
  async function busyWith(...waiting: readonly string[]): Promise<void> {
    rig.session.prompt('first', 'c0', desk);
    await rig.settle();
    await rig.say({ type: 'prompt_accepted' });
    for (const [index, text] of waiting.entries()) rig.session.prompt(text, `c${String(index + 1)}`, phone);
  }

  async function stop(): Promise<void> {
    const turn = rig.session.summary.turn_id;
    assert.ok(turn);
    assert.ok(rig.session.interrupt(turn).ok);
    await rig.say({ type: 'turn_end', reason: 'interrupted' });
  }

  function sent(): readonly string[] {
    return rig.orders.flatMap(order => /^send (.*) as turn$/.exec(order)?.[1] ?? []);
  }

  it('go once, in the order in which they came', async () => {
    await busyWith('two', 'three');
    assert.deepEqual(sent(), ['first']);
    await rig.say({ type: 'turn_end', reason: 'completed' });
    await rig.runTurn();
    await rig.runTurn();
    assert.deepEqual(sent(), ['first', 'two', 'three']);
    assert.deepEqual(rig.prompts, ['first delivered', 'two delivered', 'three delivered']);
  });

  it('are not written again when they are changed to what they are', async () => {
    await busyWith('two');
    const before = rig.session.lastSeq;
    assert.deepEqual(rig.session.editQueued('c1', 'two'), done);
    assert.equal(rig.session.lastSeq, before);
  });

  it('have no id that is kept for prompts of the desk: one of those would be taken for a repetition', async () => {
    assert.deepEqual(rig.session.prompt('mine', 'desk_u1', phone), { ok: false, code: 'invalid_request' });
    await busyWith();
    await rig.say(
      { type: 'turn_end', reason: 'completed' },
      { type: 'desk_prompt', id: 'u1', text: 'typed at the desk' },
    );
    assert.deepEqual(rig.prompts, ['first delivered', 'typed at the desk delivered']);
  });

  it('can be changed and taken back from any surface while they wait', async () => {
    await busyWith('two', 'three', 'four');
    assert.deepEqual(rig.session.editQueued('c1', 'two, in other words'), done);
    assert.deepEqual(rig.session.cancelQueued('c2'), done);
    assert.deepEqual(rig.session.cancelQueued('c2'), done, 'again changes nothing');
    const before = rig.session.lastSeq;
    assert.deepEqual(rig.session.cancelQueued('c2'), done);
    assert.equal(rig.session.lastSeq, before);
    await rig.say({ type: 'turn_end', reason: 'completed' });
    await rig.runTurn();
    await rig.runTurn();
    assert.deepEqual(sent(), ['first', 'two, in other words', 'four']);
    const [edited] = rig.blocks.filter(block => block.type === 'user_echo' && block.text.includes('other'));
    assert.ok(edited?.type === 'user_echo');
    assert.equal(edited.device_id, phone.deviceId, 'who sent it stays told');
  });

  it('are the agent’s once it was given them: nothing can be changed or taken back any more', async () => {
    rig.session.prompt('first', 'c0', desk);
    await rig.settle();
    assert.deepEqual(sent(), ['first']);
    const refused = { ok: false, code: 'stale_turn' };
    assert.deepEqual(rig.session.editQueued('c0', 'else'), refused, 'on its way');
    assert.deepEqual(rig.session.cancelQueued('c0'), refused);
    assert.deepEqual(rig.session.sendQueued('c0'), refused);
    await rig.say({ type: 'prompt_accepted' });
    assert.deepEqual(rig.session.editQueued('c0', 'else'), refused, 'delivered');
    assert.deepEqual(rig.session.cancelQueued('c0'), refused);
    assert.deepEqual(rig.session.cancelQueued('nobody'), { ok: false, code: 'not_found' });
  });

  it('let one in front that steers, at the next turn boundary [M39]', async () => {
    await busyWith('two', 'three');
    assert.deepEqual(rig.session.prompt('at once', 's1', phone, 'steer'), done);
    assert.deepEqual(rig.session.prompt('and then', 's2', phone, 'steer'), done);
    assert.deepEqual(sent(), ['first'], 'not into the running turn');
    await rig.restart();
    assert.deepEqual(sent(), ['first', 'at once'], 'a restart finds the same order');
    await rig.runTurn();
    await rig.runTurn();
    await rig.runTurn();
    await rig.runTurn();
    assert.deepEqual(sent(), ['first', 'at once', 'and then', 'two', 'three']);
  });

  it('do not set a stopped agent going again: they are held, over a restart too [F58]', async () => {
    await busyWith('two', 'three');
    await stop();
    assert.deepEqual(rig.prompts, ['first delivered', 'two held', 'three held']);
    await rig.restart();
    assert.deepEqual(sent(), ['first']);
    assert.equal(rig.session.summary.activity, 'idle');
  });

  it('go on after the next prompt, which comes first: it says what is wanted now', async () => {
    await busyWith('two', 'three');
    await stop();
    assert.deepEqual(rig.session.prompt('no, like this', 'c9', phone), done);
    await rig.settle();
    await rig.runTurn();
    await rig.runTurn();
    await rig.runTurn();
    assert.deepEqual(sent(), ['first', 'no, like this', 'two', 'three']);
  });

  it('keep their turn when a stop held them: what was to go first goes before what was to wait, after the next prompt', async () => {
    await busyWith('two', 'three');
    rig.session.prompt('at once', 's1', phone, 'steer');
    rig.session.sendQueued('c2');
    await stop();
    const whole = new SessionRestorer();
    for (const block of rig.blocks) whole.add(block);
    const short = new SessionRestorer();
    assert.ok(short.load(JSON.parse(JSON.stringify(whole.save()))));
    assert.deepEqual(waitingPrompts(short.state), waitingPrompts(whole.state), 'a checkpoint knows it, too');
    await rig.restart();
    assert.deepEqual(rig.session.prompt('no, like this', 'c9', phone), done);
    await rig.settle();
    for (let turn = 0; turn < 5; turn += 1) await rig.runTurn();
    assert.deepEqual(sent(), ['first', 'no, like this', 'three', 'at once', 'two']);
  });

  it('go on when somebody says so, that one first', async () => {
    await busyWith('two', 'three');
    await stop();
    assert.deepEqual(rig.session.sendQueued('c2'), done);
    await rig.settle();
    await rig.runTurn();
    await rig.runTurn();
    assert.deepEqual(sent(), ['first', 'three', 'two']);
  });

  it('can be changed and taken back while they are held, and stay held', async () => {
    await busyWith('two', 'three');
    await stop();
    assert.deepEqual(rig.session.editQueued('c1', 'two again'), done);
    assert.deepEqual(rig.session.cancelQueued('c2'), done);
    await rig.settle();
    assert.deepEqual(rig.prompts, ['first delivered', 'two again held', 'three cancelled']);
    assert.deepEqual(sent(), ['first']);
  });

  it('wait for the stop to have worked when one is sent before it has', async () => {
    await busyWith('two');
    const turn = rig.session.summary.turn_id;
    assert.ok(turn);
    rig.session.interrupt(turn);
    rig.session.prompt('instead', 'c9', phone);
    await rig.settle();
    assert.deepEqual(sent(), ['first']);
    await rig.say({ type: 'turn_end', reason: 'interrupted' });
    assert.deepEqual(sent(), ['first', 'instead']);
  });

  it('are not sent when they are taken back while the agent starts', async () => {
    rig.session.prompt('first', 'c0', desk);
    assert.deepEqual(rig.session.cancelQueued('c0'), done);
    await rig.settle();
    assert.deepEqual(sent(), []);
    assert.equal(rig.session.summary.activity, 'idle');
    rig.session.prompt('other', 'c1', desk);
    await rig.settle();
    assert.deepEqual(sent(), ['other']);
  });

  it('read not delivered when the turn ended and the agent’s record never showed them, and can be put away', async () => {
    rig.session.prompt('first', 'c0', desk);
    await rig.settle();
    await rig.say({ type: 'turn_end', reason: 'error' });
    assert.deepEqual(rig.prompts, ['first not_delivered']);
    assert.deepEqual(rig.session.cancelQueued('c0'), done);
    await rig.restart();
    assert.deepEqual(rig.prompts, ['first cancelled']);
  });

  it('can be put away when they were not delivered, however much came after, over a restart too', async () => {
    const long = 'long '.repeat(1_000);
    rig.session.prompt(long, 'old', desk);
    await rig.settle();
    for (let count = 0; count < 70; count += 1) {
      const id = `n${String(count)}`;
      await rig.say({ type: 'turn_end', reason: 'error' });
      rig.session.prompt(id, id, desk);
      await rig.settle();
    }
    assert.equal(rig.prompts[0], `${long} not_delivered`);
    await rig.restart();
    assert.deepEqual(rig.session.cancelQueued('old'), done);
    assert.ok(rig.prompts[0].endsWith('cancelled'));
    assert.deepEqual(rig.session.prompt(long, 'old', desk), done, 'it is known as what it was');
    assert.deepEqual(rig.session.prompt('other', 'old', desk), { ok: false, code: 'request_conflict' });
  });

  it('are told as not delivered at the end of the session, and can still be put away then', async () => {
    await busyWith('two');
    rig.session.end();
    await rig.settle();
    assert.deepEqual(rig.prompts, ['first delivered', 'two not_delivered']);
    assert.deepEqual(rig.session.editQueued('c1', 'x'), { ok: false, code: 'stale_session' });
    assert.deepEqual(rig.session.sendQueued('c1'), { ok: false, code: 'stale_session' });
    assert.deepEqual(rig.session.prompt('x', 'c2', desk), { ok: false, code: 'stale_session' });
    assert.deepEqual(rig.session.cancelQueued('c1'), done);
  });
});
