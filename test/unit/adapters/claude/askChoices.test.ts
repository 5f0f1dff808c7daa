import assert from 'node:assert/strict';
import { permissionOption } from '../../../../core/protocol/block/approvalBlocks.ts';
import type { ToolInput } from '../../../../core/protocol/block/toolBlocks.ts';
import { askChoices } from '../../../../src/adapters/claude/askChoices.ts';
import { ClaudeDecoder } from '../../../../src/adapters/claude/claudeDecoder.ts';

const rule = (ruleContent: string | undefined, more: ToolInput = {}): ToolInput => ({
  type: 'addRules',
  rules: [{ toolName: 'Bash', ...(ruleContent === undefined ? {} : { ruleContent }) }],
  behavior: 'allow',
  destination: 'localSettings',
  ...more,
});
const edits = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
const folder = { type: 'addDirectories', directories: ['/elsewhere'], destination: 'session' };

const choices = (suggestions: readonly ToolInput[], kind: 'edit' | 'execute' = 'execute') =>
  askChoices(
    {
      subtype: 'can_use_tool',
      tool_name: 'Bash',
      input: { command: 'npm test' },
      permission_suggestions: [...suggestions],
    },
    kind,
  );

describe('the answers to a request of Claude Code', () => {
  it('offer each of its suggestions for itself, and give back that one alone', () => {
    const [once, tests, elsewhere, no] = choices([rule('npm test:*'), folder]);
    assert.deepEqual(once?.answer, { behavior: 'allow', updatedInput: { command: 'npm test' } });
    assert.deepEqual(tests?.option, { id: 'grant_a', label: 'Bash(npm test:*)', kind: 'allow_session' });
    assert.deepEqual(elsewhere?.option, {
      id: 'grant_b',
      label: 'work in /elsewhere',
      kind: 'allow_session',
    });
    assert.equal(no?.option.kind, 'deny');
    const given = tests.answer.behavior === 'allow' ? tests.answer.updatedPermissions : undefined;
    assert.deepEqual(given, [rule('npm test:*', { destination: 'session' })]);
  });

  it('grant nothing for longer than the session, wherever Claude Code would keep it', () => {
    for (const destination of ['localSettings', 'projectSettings', 'userSettings', 'cliArg', 'session']) {
      const [, grant] = choices([rule('ls', { destination })]);
      assert.equal(grant?.option.kind, 'allow_session');
      const given = grant.answer.behavior === 'allow' ? grant.answer.updatedPermissions : undefined;
      assert.deepEqual(
        given?.map(update => update.destination),
        ['session'],
      );
    }
  });

  it('do not offer what changes more than a button says', () => {
    const refused = [
      { type: 'setMode', mode: 'bypassPermissions', destination: 'session' },
      { type: 'setMode', mode: 'acceptEdits', destination: 'userSettings' },
      edits,
      rule('ls', { behavior: 'deny' }),
      rule('ls', { rules: [] }),
      rule('x'.repeat(80)),
      rule('ls\nrm -rf /'),
      rule('ls \u202egnp'),
      { type: 'removeRules', rules: [], behavior: 'ask', destination: 'session' },
      { type: 'replaceRules' },
    ];
    assert.deepEqual(
      choices(refused).map(choice => choice.option.id),
      ['allow', 'deny'],
    );
  });

  it('offer to accept edits where an edit is asked for, and say that a whole tool is', () => {
    assert.deepEqual(
      choices([edits, rule(undefined)], 'edit').map(choice => choice.option.label),
      ['Allow', 'all edits', 'every use of Bash', 'Deny'],
    );
  });

  it('are eight at most, with ids and labels in bounds', () => {
    const offered = choices(Array.from({ length: 20 }, (_, index) => rule(`tool ${String(index)}`)));
    assert.equal(offered.length, 8);
    assert.equal(new Set(offered.map(choice => choice.option.id)).size, 8);
    for (const { option } of offered) assert.ok(permissionOption.safeParse(option).success);
  });

  it('to a plan are to begin or to keep planning, and the plan is what is shown', () => {
    const plan = '# Plan\n1. do it';
    for (const { input, call } of [
      { input: { plan, planFilePath: '/plans/p.md' }, call: {} },
      { input: {}, call: { plan } },
    ]) {
      const decoder = new ClaudeDecoder('/work');
      const use = { type: 'tool_use', id: 't1', name: 'ExitPlanMode', input: call };
      decoder.receive(JSON.stringify({ type: 'assistant', message: { id: 'm1', content: [use] } }));
      const request = { subtype: 'can_use_tool', tool_name: 'ExitPlanMode', input, tool_use_id: 't1' };
      const line = JSON.stringify({ type: 'control_request', request_id: 'r1', request });
      const [event] = decoder.receive(line).events;
      assert.ok(event?.type === 'proposal');
      assert.equal(event.action.input.plan, plan);
      assert.deepEqual(
        event.action.options.map(option => [option.label, option.kind]),
        [
          ['Begin', 'allow_once'],
          ['Keep planning', 'deny'],
        ],
      );
      const told = decoder.answer(event.action.id, 'allow');
      assert.ok(told?.type === 'control_response' && told.response.subtype === 'success');
      assert.deepEqual(told.response.response, { behavior: 'allow', updatedInput: input });
    }
  });
});
