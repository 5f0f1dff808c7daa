import assert from 'node:assert/strict';
import { blockId } from '../../../../core/protocol/ids.ts';
import type { AgentEvent, AskedQuestion, QuestionAnswer } from '../../../../src/adapters/agent.ts';
import { ApprovalRig, command, desk } from './approvalRig.ts';

const day = 24 * 3_600_000;
const phone = { kind: 'device' as const, name: 'Pixel' };

function question(id: string, more: Partial<AskedQuestion> = {}): AgentEvent {
  const form: AskedQuestion = {
    id: blockId.parse(id),
    header: 'A drink',
    text: 'Tea or coffee?',
    options: [
      { id: 'tea', label: 'Tea' },
      { id: 'coffee', label: 'Coffee' },
    ],
    multiple: false,
    allow_custom: false,
    position: 1,
    chain_length: 1,
    ...more,
  };
  return { type: 'question', question: form };
}

describe('what an agent wants to know', () => {
  let rig: ApprovalRig;
  beforeEach(async () => {
    rig = new ApprovalRig();
    await rig.begin();
  });
  afterEach(() => rig.dispose());

  function answer(id: string, given: QuestionAnswer, actor: typeof phone | typeof desk = phone) {
    return rig.session.approvals.questions.answer(blockId.parse(id), given, actor);
  }

  it('is asked, counts the first answer, and tells the later one that it is stale [M45]', async () => {
    await rig.say(question('q1'));
    const { activity, waiting, asks } = rig.session.summary;
    assert.deepEqual([activity, waiting, asks], ['awaiting_question', 1, 'Tea or coffee?']);
    assert.equal(answer('q1', { selected: ['tea'] }).ok, true);
    assert.deepEqual(answer('q1', { selected: ['coffee'] }, desk), { ok: false, code: 'stale_question' });
    assert.deepEqual(answer('q2', { selected: ['tea'] }), { ok: false, code: 'stale_question' });
    assert.deepEqual(rig.answers, ['reply q1 {"selected":["tea"]}']);
    const last = [...rig.session.history(0)].at(-1)?.block;
    assert.ok(last?.type === 'question_resolved');
    assert.deepEqual([last.by, last.by_name, last.selected], ['device', 'Pixel', ['tea']]);
    assert.equal(rig.session.summary.activity, 'running');
  });

  it('takes only answers that it allows', async () => {
    await rig.say(question('q1'), question('q2', { multiple: true, allow_custom: true }));
    const refused: readonly [string, QuestionAnswer][] = [
      ['q1', { selected: [] }],
      ['q1', { selected: ['milk'] }],
      ['q1', { selected: ['tea', 'coffee'] }],
      ['q1', { custom: 'water' }],
      ['q2', { selected: ['tea', 'tea'] }],
      ['q2', { selected: ['tea', 'milk'] }],
    ];
    for (const [id, given] of refused)
      assert.deepEqual(answer(id, given), { ok: false, code: 'invalid_request' }, JSON.stringify(given));
    assert.deepEqual(rig.answers, []);
    assert.equal(answer('q2', { selected: ['tea', 'coffee'] }).ok, true);
    await rig.say(question('q3', { allow_custom: true }));
    assert.equal(answer('q3', { custom: 'water' }).ok, true);
    assert.deepEqual(rig.answers, ['reply q2 {"selected":["tea","coffee"]}', 'reply q3 {"custom":"water"}']);
  });

  it('is answered by no rule, whatever the mode', async () => {
    rig.session.approvals.setMode('full_access', desk);
    await rig.say(question('q1'));
    assert.deepEqual(rig.answers, []);
    assert.equal(rig.session.summary.waiting, 1);
  });

  it('waits for a day, then the agent is told that nobody answers; a late answer is stale', async () => {
    await rig.say(question('q1'));
    rig.clock.pass(day - 1);
    assert.equal(rig.session.summary.waiting, 1);
    rig.clock.pass(1);
    assert.deepEqual(rig.answers, ['reply q1 "nothing"']);
    assert.deepEqual(rig.written, ['question q1', 'question_resolved q1 false timeout']);
    assert.deepEqual(answer('q1', { selected: ['tea'] }), { ok: false, code: 'stale_question' });
    assert.equal(rig.session.summary.activity, 'running');
  });

  it('waits no longer for a restart, and not once it was answered', async () => {
    await rig.say(question('q1'), question('q2'));
    assert.ok(answer('q2', { selected: ['tea'] }).ok);
    rig.clock.pass(day / 2);
    await rig.restart(true);
    rig.clock.pass(day / 2);
    assert.deepEqual(rig.answers, ['reply q1 "nothing"']);
  });

  it('is not answered late by a machine that slept: its timers are behind then', async () => {
    await rig.say(question('q1'));
    const awake = rig.clock.now();
    rig.clock.now = () => awake + day;
    assert.deepEqual(answer('q1', { selected: ['tea'] }), { ok: false, code: 'stale_question' });
    assert.deepEqual(rig.answers, ['reply q1 "nothing"']);
  });

  it('waits beside requests, and each is answered by its own id [M45]', async () => {
    await rig.propose(command('a1', 'rm 1'));
    await rig.say(question('q1'));
    assert.deepEqual([rig.session.summary.activity, rig.session.summary.waiting], ['awaiting_approval', 2]);
    assert.equal(answer('q1', { selected: ['tea'] }).ok, true);
    assert.equal(answer('a1', { selected: ['tea'] }).ok, false);
    assert.deepEqual(rig.answers, ['reply q1 {"selected":["tea"]}']);
  });

  it('is withdrawn when the agent takes it back, and when the turn is stopped', async () => {
    await rig.say(question('q1'), { type: 'question_withdrawn', id: blockId.parse('q1') }, question('q2'));
    const turn = rig.session.summary.turn_id;
    assert.ok(turn);
    rig.session.interrupt(turn);
    assert.deepEqual(rig.written, [
      'question q1',
      'question_resolved q1 false terminal',
      'question q2',
      'question_resolved q2 false interrupt',
    ]);
    assert.deepEqual(answer('q2', { selected: ['tea'] }), { ok: false, code: 'stale_question' });
  });

  it('still waits after a restart, and its answer is given again to an agent that may not have it', async () => {
    await rig.say(question('q1'));
    await rig.restart(true);
    await rig.say(question('q1'));
    assert.deepEqual([rig.session.summary.waiting, rig.answers], [1, []]);
    assert.equal(answer('q1', { selected: ['tea'] }).ok, true);
    await rig.restart(true);
    await rig.say(question('q1'));
    assert.deepEqual(rig.answers, ['reply q1 {"selected":["tea"]}']);
    await rig.say(question('q1', { text: 'Delete everything?' }));
    assert.deepEqual(rig.answers.slice(1), ['reply q1 "nothing"']);
  });

  it('is told nothing when it comes under an id that was used, or outside of a turn', async () => {
    await rig.propose(command('a1', 'rm 1'));
    await rig.say(question('a1'));
    await rig.say({ type: 'turn_end', reason: 'completed' }, question('q9'));
    assert.deepEqual(rig.answers, ['reply a1 "nothing"', 'reply q9 "nothing"']);
    assert.equal(rig.session.summary.waiting, 0);
  });
});
