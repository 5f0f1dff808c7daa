import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { say, use } from '../fakes/anthropic/script.ts';
import { startClaudeRig, type ClaudeRig } from './claudeRig.ts';

describe(`grants and plans of the real Claude Code ${process.env.TERMINULL_CLAUDE_VERSION ?? ''}`, () => {
  let rig: ClaudeRig;
  beforeEach(async () => {
    rig = await startClaudeRig();
  });
  afterEach(async () => {
    await rig.dispose();
  });

  const file = (name: string): string => join(rig.workspace, name);

  it('asks no more for a command that was allowed for the session, and writes no settings', async () => {
    const command = 'make --version';
    rig.anthropic.script('run it', [[use('Bash', { command })], [use('Bash', { command })], [say('done')]]);
    rig.anthropic.script('run another', [[use('Bash', { command: 'touch never' })], [say('done')]]);
    const conversation = await rig.start({ record: 'rule-for-session' });
    conversation.send('run it');
    const action = await conversation.proposal();
    const grants = action.options.filter(option => option.kind === 'allow_session');
    assert.ok(grants.length > 0, JSON.stringify(action.options));
    assert.ok(!action.options.some(option => option.kind === 'allow_always'));
    const rule = grants.find(option => option.label.startsWith('Bash('));
    assert.ok(rule !== undefined, JSON.stringify(grants));
    conversation.answerAll(({ id }) => (id === action.id ? rule.id : 'deny'));
    assert.equal(await conversation.turnEnd(), 'completed');
    const asked = () => conversation.events.filter(event => event.type === 'proposal').length;
    const before = asked();
    await conversation.turn('run another');
    assert.equal(asked(), before + 1, 'what was not allowed asks');
    assert.ok(!existsSync(file('.claude')), 'no settings were written');
    await conversation.stop();
  });

  it('shows a plan before it begins, and goes on planning when it may not', async () => {
    const plan = '# Plan\n1. touch made';
    rig.anthropic.script('plan it', [
      [use('EnterPlanMode', {})],
      [use('ExitPlanMode', { plan })],
      [use('ExitPlanMode', { plan })],
      [say('begun')],
    ]);
    const conversation = await rig.start({ record: 'plan-mode' });
    let plans = 0;
    conversation.answerAll(action => {
      if (action.tool !== 'ExitPlanMode') return 'allow';
      assert.equal(action.input.plan, plan);
      plans += 1;
      return plans === 1 ? 'deny' : 'allow';
    });
    assert.equal(await conversation.turn('plan it'), 'completed');
    assert.equal(plans, 2);
    assert.deepEqual(
      conversation.blocks('tool_result').map(block => block.outcome),
      ['ok', 'denied', 'ok'],
    );
    assert.deepEqual(conversation.texts(), ['begun']);
    await conversation.stop();
  });
});
