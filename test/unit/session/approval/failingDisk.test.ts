import assert from 'node:assert/strict';
import { blockId } from '../../../../core/protocol/ids.ts';
import type { AskedQuestion } from '../../../../src/adapters/agent.ts';
import { unhandledDuring, withFullDisk, withoutSync } from '../brokenDisk.ts';
import { ApprovalRig, command, desk } from './approvalRig.ts';

const hour = 3_600_000;

/** What cannot be kept does not count: nothing runs by an answer that a power failure would undo. */
describe('an answer that the disk does not keep', () => {
  let rig: ApprovalRig;
  beforeEach(async () => {
    rig = new ApprovalRig();
    await rig.begin();
  });
  afterEach(() => rig.dispose());

  function allow() {
    const [request] = rig.session.pending;
    assert.ok(request);
    return rig.session.answer(request.id, 'allow', request.digest, desk);
  }

  const drink: AskedQuestion = {
    id: blockId.parse('q1'),
    header: 'A drink',
    text: 'Tea?',
    options: [{ id: 'tea', label: 'Tea' }],
    multiple: false,
    allow_custom: false,
    position: 1,
    chain_length: 1,
  };

  it('tells the agent no, and who answered that it did not work; the record says so too', async () => {
    await rig.propose(command('a1', 'rm x'));
    await withoutSync(() => assert.deepEqual(allow(), { ok: false, code: 'internal' }));
    assert.deepEqual(rig.answers, ['deny a1']);
    assert.deepEqual(rig.written, [
      'ask a1',
      'resolved a1 true desktop',
      'resolved a1 false policy',
      'error internal',
    ]);
    assert.equal(rig.session.pending.length, 0);
  });

  it('is no to the same agent after a restart, too', async () => {
    await rig.propose(command('a1', 'rm x'));
    await withoutSync(() => allow());
    await rig.restart(true);
    await rig.propose(command('a1', 'rm x'));
    assert.deepEqual(rig.answers, ['deny a1']);
  });

  it('waits on when not even a word of it could be written, and can be given again', async () => {
    await rig.propose(command('a1', 'rm x'));
    await withFullDisk(() => assert.throws(() => allow(), { code: 'ENOSPC' }));
    assert.deepEqual(rig.answers, []);
    assert.ok(allow().ok);
    assert.deepEqual(rig.answers, ['allow a1']);
  });

  it('of a rule is no as well', async () => {
    rig.session.approvals.setMode('full_access', desk);
    // The first is the request's own.
    await withoutSync(
      () => rig.propose(command('a1', 'rm x')),
      count => count === 2,
    );
    assert.deepEqual(rig.answers, ['deny a1']);
  });

  it('to a question is none, and the agent is told that nobody answers', async () => {
    await rig.say({ type: 'question', question: drink });
    const give = () => rig.session.approvals.questions.answer(drink.id, { selected: ['tea'] }, desk);
    await withoutSync(() => assert.deepEqual(give(), { ok: false, code: 'internal' }));
    assert.deepEqual(rig.answers, ['reply q1 "nothing"']);
    assert.deepEqual(rig.written.slice(-2), ['question_resolved q1 false policy', 'error internal']);
    assert.deepEqual(give(), { ok: false, code: 'stale_question' });
  });

  it('to a question is none to the same agent after a restart, too', async () => {
    await rig.say({ type: 'question', question: drink });
    await withoutSync(() => rig.session.approvals.questions.answer(drink.id, { selected: ['tea'] }, desk));
    await rig.restart(true);
    await rig.say({ type: 'question', question: drink });
    assert.deepEqual(rig.answers, []);
  });

  it('counts no more either where the agent has no word for no', async () => {
    const action = command('a1', 'rm x');
    const ask = { ...action, options: action.options.filter(({ kind }) => kind !== 'deny') };
    await rig.propose(ask);
    await withoutSync(() => allow());
    assert.ok(rig.written.includes('resolved a1 false policy'));
    await rig.restart(true);
    await rig.propose(ask);
    assert.deepEqual(rig.answers, []);
  });

  it('is not lost when its time is over: the agent is told no once that can be written', async () => {
    await rig.propose(command('a1', 'rm x'));
    const unhandled = await unhandledDuring(() =>
      withFullDisk(() => assert.doesNotThrow(() => rig.clock.pass(24 * hour))),
    );
    assert.deepEqual([unhandled, rig.answers], [[], []]);
    rig.clock.pass(60_000);
    assert.deepEqual(rig.answers, ['deny a1']);
  });
});
