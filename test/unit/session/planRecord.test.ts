import assert from 'node:assert/strict';
import type { Block } from '../../../core/protocol/block/block.ts';
import { blockId } from '../../../core/protocol/ids.ts';
import type { AgentEvent } from '../../../src/adapters/agent.ts';
import { SessionRig } from './sessionRig.ts';

const step = (id: string, more: object): AgentEvent => ({ type: 'plan_step', id, ...more });
const plan = (...texts: readonly string[]): AgentEvent => {
  const items = texts.map(text => ({ text, status: 'pending' as const }));
  return { type: 'block', block: { type: 'plan', id: blockId.parse('plan'), items } };
};
const agentBlock = (status: 'running' | 'done'): AgentEvent => ({
  type: 'block',
  block: { type: 'subagent', id: blockId.parse('t1.agent'), name: 'Explore', task: 'Look', status, depth: 1 },
});

describe('the plan of an agent, and those that it calls', () => {
  let rig: SessionRig;
  beforeEach(async () => {
    rig = new SessionRig();
    rig.session.prompt('go', 'c1', { kind: 'desktop' });
    await rig.settle();
    await rig.say({ type: 'prompt_accepted' });
  });
  afterEach(() => rig.dispose());

  const ofType = <T extends Block['type']>(type: T) =>
    rig.blocks.filter((block): block is Extract<Block, { type: T }> => block.type === type);
  const plans = () =>
    ofType('plan').map(block => block.items.map(item => `${item.text}=${item.status}`).join(' '));

  it('is one block that each step changes in its place', async () => {
    await rig.say(
      step('1', { text: 'first', status: 'pending' }),
      step('2', { text: 'second', status: 'pending' }),
      step('1', { status: 'in_progress' }),
      step('1', { text: 'the first' }),
      step('2', { status: 'deleted' }),
    );
    assert.deepEqual(plans(), [
      'first=pending',
      'first=pending second=pending',
      'first=in_progress second=pending',
      'the first=in_progress second=pending',
      'the first=in_progress',
    ]);
    assert.equal(new Set(ofType('plan').map(block => block.id)).size, 1);
  });

  it('is not written again when nothing of it changes, and is when it comes back to what it was', async () => {
    await rig.say(step('1', { text: 'first', status: 'pending' }), step('1', { status: 'pending' }));
    await rig.say(step('9', { status: 'completed' }));
    assert.equal(plans().length, 1);
    await rig.say(step('1', { status: 'in_progress' }), step('1', { status: 'pending' }));
    assert.deepEqual(plans(), ['first=pending', 'first=in_progress', 'first=pending']);
    await rig.say(plan('first'), plan('first'), plan('second'), plan('first'));
    assert.deepEqual(plans().slice(3), ['first=pending', 'second=pending', 'first=pending']);
  });

  it('is told to who comes late, with the agents that are at work', async () => {
    await rig.say(plan('first'), agentBlock('running'));
    const carried = rig.session.carried.map(block => block.type);
    assert.ok(carried.includes('plan') && carried.includes('subagent'), carried.join(' '));
    await rig.say(agentBlock('done'));
    assert.ok(!rig.session.carried.some(block => block.type === 'subagent'));
  });

  it('a called agent without an end has ended with the turn', async () => {
    await rig.say(agentBlock('running'), { type: 'turn_end', reason: 'interrupted' });
    assert.deepEqual(
      ofType('subagent').map(block => block.status),
      ['running', 'error'],
    );
  });
});
