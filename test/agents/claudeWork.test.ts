import assert from 'node:assert/strict';
import type { AgentEvent } from '../../src/adapters/agent.ts';
import { say, use } from '../fakes/anthropic/script.ts';
import { startClaudeRig, type ClaudeRig } from './claudeRig.ts';

/** Newer versions give a to-do list to some models only. */
const planner = { ANTHROPIC_MODEL: 'claude-opus-4-5' };

describe(`what the real Claude Code ${process.env.TERMINULL_CLAUDE_VERSION ?? ''} does beside its words`, () => {
  let rig: ClaudeRig;
  beforeEach(async () => {
    rig = await startClaudeRig();
  });
  afterEach(async () => {
    await rig.dispose();
  });

  it('shows a sub-agent with its words and its calls in it, and asks for what it does', async () => {
    const task = { description: 'Look around', prompt: 'subwork please', subagent_type: 'general-purpose' };
    rig.anthropic.script('delegate', [[use('Agent', task)], [say('delegated')]]);
    rig.anthropic.script('subwork please', [
      [say('a sub-agent speaks'), use('Bash', { command: 'touch made-by-sub' })],
      [say('a sub-agent ends')],
    ]);
    const conversation = await rig.start({ record: 'sub-agent' });
    conversation.send('delegate');
    const action = await conversation.proposal();
    assert.equal(action.title, 'touch made-by-sub');
    conversation.agent.respondPermission(action.id, 'allow');
    assert.equal(await conversation.turnEnd(), 'completed');
    const agents = conversation.blocks('subagent');
    assert.deepEqual(
      agents.map(block => [block.name, block.task, block.status, block.depth]),
      [
        ['general-purpose', 'Look around', 'running', 1],
        ['general-purpose', 'Look around', 'done', 1],
      ],
    );
    const said = conversation.blocks('text').filter(block => block.done);
    assert.deepEqual(
      said.map(block => [block.text, block.parent_id === agents[0]?.id]),
      [
        ['a sub-agent speaks', true],
        ['a sub-agent ends', true],
        ['delegated', false],
      ],
    );
    const calls = conversation.blocks('tool_call').filter(block => block.parent_id === agents[0]?.id);
    assert.deepEqual(
      calls.map(block => [block.title, block.status]),
      [
        ['Sub-agent › touch made-by-sub', 'running'],
        ['Sub-agent › touch made-by-sub', 'done'],
      ],
    );
    await conversation.stop();
  });

  it('tells its plan step by step', async () => {
    rig.anthropic.script('plan it', [
      [use('TaskCreate', { subject: 'first', description: 'do it first' })],
      [use('TaskCreate', { subject: 'second', description: 'do it second' })],
      [use('TaskUpdate', { taskId: '1', status: 'in_progress' })],
      [use('TaskUpdate', { taskId: '1', status: 'completed' })],
      [use('TaskList', {})],
      [say('planned')],
    ]);
    const conversation = await rig.start({ record: 'plan-steps', env: planner });
    assert.equal(await conversation.turn('plan it'), 'completed');
    assert.deepEqual(conversation.events.flatMap(stepOf), [
      '1 pending first',
      '2 pending second',
      '1 in_progress -',
      '1 completed -',
    ]);
    assert.deepEqual(
      conversation.blocks('plan').map(block => block.items.map(item => `${item.text} ${item.status}`)),
      [['first completed', 'second pending']],
    );
    await conversation.stop();
  });

  it('says when it makes the conversation shorter, and goes on', async () => {
    rig.anthropic.script('hello', [[say('a rather long answer, so that there is something to leave out')]]);
    rig.anthropic.script('Your task is to create a detailed summary', [[say('a summary')]]);
    rig.anthropic.script('after it', [[say('still here')]]);
    const conversation = await rig.start({ record: 'compacted' });
    await conversation.turn('hello');
    await conversation.turn('hello again');
    assert.equal(await conversation.turn('/compact'), 'completed');
    const lines = conversation.blocks('progress');
    assert.equal(new Set(lines.map(block => block.id)).size, 1, 'one line');
    assert.match(lines[0]?.label ?? '', /^Making the conversation shorter/);
    assert.match(lines.at(-1)?.label ?? '', /^The conversation was made shorter/);
    assert.equal(lines.at(-1)?.percent, 100);
    await conversation.turn('after it');
    assert.equal(conversation.texts().at(-1), 'still here');
    await conversation.stop();
  });
});

function stepOf(event: AgentEvent): readonly string[] {
  if (event.type !== 'plan_step') return [];
  return [`${event.id} ${event.status ?? '-'} ${event.text ?? '-'}`];
}
