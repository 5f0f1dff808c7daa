import assert from 'node:assert/strict';
import { blockId } from '../../../core/protocol/ids.ts';
import type { ProposedAction } from '../../../src/adapters/agent.ts';
import {
  LifeCycle,
  lifeEvents,
  lifeStates,
  reduceLife,
  type LifeEvent,
  type LifeState,
} from '../../../src/session/lifeCycle.ts';
import { SessionRig } from './sessionRig.ts';

/** From, event, to: written down once more, from the requirements. */
const legal: readonly (readonly [LifeState, LifeEvent, LifeState, string])[] = [
  ['uninitialized', 'start', 'initializing', 'C21'],
  ['initializing', 'started', 'ready', 'C21'],
  ['initializing', 'start_failed', 'failed', 'C21'],
  ['ready', 'prompt', 'streaming', 'C22'],
  ['streaming', 'turn_end', 'ready', 'C22'],
  ['streaming', 'ask', 'waiting_for_approval', 'C23'],
  ['waiting_for_approval', 'answer', 'streaming', 'C23'],
  ['waiting_for_approval', 'turn_end', 'ready', 'the agent gave up'],
  ['streaming', 'interrupt', 'interrupting', 'C24'],
  ['waiting_for_approval', 'interrupt', 'interrupting', 'C24'],
  ['interrupting', 'interrupt', 'interrupting', 'passed on again'],
  ['interrupting', 'turn_end', 'ready', 'C24'],
  ['streaming', 'crash', 'failed', 'C25'],
  ['waiting_for_approval', 'crash', 'failed', 'C25'],
  ['interrupting', 'crash', 'failed', 'C25'],
  ['ready', 'crash', 'failed', 'C25'],
  ['failed', 'start', 'initializing', 'C25: to ready by way of a start'],
  ['ready', 'exit', 'uninitialized', 'let go for the terminal, or the terminal was left'],
  ['streaming', 'exit', 'uninitialized', 'the terminal was left in a turn'],
  ['waiting_for_approval', 'exit', 'uninitialized', 'it said that it would end'],
  ['interrupting', 'exit', 'uninitialized', 'it ended on being stopped'],
  ['uninitialized', 'end', 'terminating', 'C26'],
  ['initializing', 'end', 'terminating', 'C26'],
  ['ready', 'end', 'terminating', 'C26'],
  ['streaming', 'end', 'terminating', 'C26'],
  ['waiting_for_approval', 'end', 'terminating', 'C26'],
  ['interrupting', 'end', 'terminating', 'C26'],
  ['failed', 'end', 'terminating', 'C26'],
  ['terminating', 'turn_end', 'terminating', 'what it says last'],
  ['terminating', 'exit', 'terminated', 'C26'],
  ['terminating', 'crash', 'terminated', 'C26'],
];

const refusals: Readonly<Record<LifeState, string>> = {
  uninitialized: 'not_started',
  initializing: 'starting',
  ready: 'no_turn_runs',
  streaming: 'turn_runs',
  waiting_for_approval: 'answer_awaited',
  interrupting: 'being_interrupted',
  failed: 'agent_failed',
  terminating: 'ending',
  terminated: 'ended',
};

describe('the life of an agent, as a table', () => {
  for (const state of lifeStates) {
    it(`${state}: takes every step that there is and refuses every other one by name [C20] [C27]`, () => {
      for (const event of lifeEvents) {
        const row = legal.find(([from, on]) => from === state && on === event);
        const expected = row ? { ok: true, value: row[2] } : { ok: false, code: refusals[state] };
        assert.deepEqual(reduceLife(state, event), expected, `${state} on ${event}`);
        const life = new LifeCycle(state);
        assert.deepEqual(life.advance(event), expected);
        assert.equal(life.state, row?.[2] ?? state, 'a refused event changes nothing');
      }
    });
  }

  it('leads from everywhere to the end, and from the end nowhere [C26]', () => {
    for (const state of lifeStates) {
      if (state === 'terminated') continue;
      const life = new LifeCycle(state);
      if (state !== 'terminating') assert.ok(life.advance('end').ok, state);
      assert.ok(life.advance('exit').ok);
      assert.equal(life.state, 'terminated');
    }
    for (const event of lifeEvents) assert.equal(reduceLife('terminated', event).ok, false);
  });
});

describe('a session on its life', () => {
  let rig: SessionRig;
  beforeEach(() => {
    rig = new SessionRig();
  });
  afterEach(() => rig.dispose());
  const desk = { kind: 'desktop' as const };

  const action: ProposedAction = {
    id: blockId.parse('ask1'),
    tool: 'Bash',
    title: 'x',
    input: { command: 'x' },
    cwd: '/work',
    risk: 'high',
    options: [
      { id: 'allow', label: 'Allow', kind: 'allow_once' },
      { id: 'deny', label: 'Deny', kind: 'deny' },
    ],
  };

  function answer(option: string, id = 'ask1'): void {
    const request = rig.session.pending.find(each => each.id === id);
    assert.ok(request);
    assert.ok(rig.session.answer(request.id, option, request.digest, desk).ok);
  }

  it('starts, streams, waits for both answers, and is ready again [C21] [C22] [C23]', async () => {
    assert.equal(rig.session.life, 'uninitialized');
    rig.session.prompt('go', 'c1', desk);
    assert.equal(rig.session.life, 'initializing');
    assert.equal(rig.session.summary.activity, 'running');
    await rig.settle();
    assert.equal(rig.session.life, 'streaming');
    await rig.say({ type: 'prompt_accepted' }, { type: 'proposal', action });
    assert.equal(rig.session.life, 'waiting_for_approval');
    answer('allow');
    assert.equal(rig.session.life, 'streaming');
    const [second, third] = [
      { ...action, id: blockId.parse('ask2') },
      { ...action, id: blockId.parse('ask3') },
    ];
    await rig.say({ type: 'proposal', action: second }, { type: 'proposal', action: third });
    answer('deny', 'ask2');
    assert.equal(rig.session.life, 'waiting_for_approval', 'one more is outstanding [M46]');
    await rig.say({ type: 'proposal_withdrawn', id: third.id });
    assert.equal(rig.session.life, 'streaming');
    await rig.say({ type: 'turn_end', reason: 'completed' });
    assert.equal(rig.session.life, 'ready');
    assert.equal(rig.session.summary.activity, 'idle');
  });

  it('is interrupted, and ready once the turn has ended; what it asks meanwhile is put to nobody [C24] [M38]', async () => {
    rig.session.prompt('go', 'c1', desk);
    await rig.settle();
    await rig.say({ type: 'prompt_accepted' }, { type: 'proposal', action });
    const turn = rig.session.summary.turn_id;
    assert.ok(turn);
    assert.ok(rig.session.interrupt(turn).ok);
    assert.equal(rig.session.life, 'interrupting');
    await rig.say({ type: 'proposal', action: { ...action, id: blockId.parse('late') } });
    assert.deepEqual(rig.session.pending, []);
    assert.equal(rig.orders.at(-1), 'deny late');
    assert.equal(rig.session.life, 'interrupting');
    await rig.say({ type: 'turn_end', reason: 'interrupted' });
    assert.equal(rig.session.life, 'ready');
    assert.deepEqual(rig.session.interrupt(turn), { ok: false, code: 'not_running' });
  });

  it('takes the end of a turn that nobody began for none [C27]', async () => {
    rig.session.prompt('go', 'c1', desk);
    await rig.settle();
    await rig.runTurn();
    const before = rig.session.lastSeq;
    await rig.say({ type: 'turn_end', reason: 'completed' });
    assert.equal(rig.session.life, 'ready');
    assert.equal(rig.session.lastSeq, before);
  });

  it('ends on the way: from before its start, while it starts, at work and when it has failed [C26]', async () => {
    rig.session.end();
    assert.equal(rig.session.life, 'terminated');
    for (const moment of ['starting', 'running', 'waiting', 'failed'] as const) {
      rig.dispose();
      rig = new SessionRig();
      if (moment === 'failed') rig.startFailure = 'agent_missing';
      rig.session.prompt('go', 'c1', desk);
      if (moment !== 'starting') await rig.settle();
      if (moment === 'running' || moment === 'waiting') await rig.say({ type: 'prompt_accepted' });
      if (moment === 'waiting') await rig.say({ type: 'proposal', action });
      if (moment === 'failed') assert.equal(rig.session.life, 'failed');
      rig.session.end();
      assert.deepEqual(rig.session.pending, [], 'nothing is approved on the way out');
      await rig.settle();
      assert.equal(rig.session.life, 'terminated', moment);
      assert.equal(rig.session.summary.activity, 'ended');
      assert.equal(rig.written.filter(line => line === 'ended').length, 1);
      assert.equal(rig.session.agentPid, 0);
      const ends = rig.written.filter(line => line.startsWith('end ')).length;
      assert.equal(ends, moment === 'running' || moment === 'waiting' ? 1 : 0);
    }
  });

  it('is restored as ended when the journal says so', async () => {
    rig.session.end();
    await rig.restart();
    assert.equal(rig.session.life, 'terminated');
    assert.deepEqual(rig.session.prompt('go', 'c1', desk), { ok: false, code: 'stale_session' });
  });
});
