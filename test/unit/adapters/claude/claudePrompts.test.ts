import assert from 'node:assert/strict';
import { blockId } from '../../../../core/protocol/ids.ts';
import { ClaudePrompts } from '../../../../src/adapters/claude/claudePrompts.ts';
import type { DialogStatus } from '../../../../src/adapters/claude/dialogStatus.ts';
import { FakeAsks } from '../../../fakes/fakeAsks.ts';
import { StoppedClock } from '../../../fakes/stoppedClock.ts';

const nativeId = 'c0ffee00-0000-4000-8000-000000000000';
const id = '0123456789abcdef';

const payload = (tool_name: string, tool_input: unknown, more: object = {}) => ({
  ...{ session_id: nativeId, hook_event_name: 'PermissionRequest', cwd: '/elsewhere', tool_name, tool_input },
  ...more,
});
const colours = {
  question: 'Which colours?',
  header: 'Colour',
  multiSelect: true,
  options: [{ label: 'Red', description: 'warm' }, { label: 'Blue' }, { label: 'Green' }],
};
const size = { question: 'Which size?', header: 'Size', options: [{ label: 'S' }, { label: 'L' }] };

describe('what Claude Code’s terminal asks through its hook', () => {
  let asks: FakeAsks;
  let clock: StoppedClock;
  let status: DialogStatus | undefined;
  let prompts: ClaudePrompts;
  let looks = 0;
  const look = (): DialogStatus | undefined => {
    looks += 1;
    return status;
  };
  const open = () =>
    prompts.open.map(({ tool, parts }) => `${tool} ${parts.map(part => part.type).join(' ')}`);
  const decision = (): unknown => {
    const said: unknown = JSON.parse(asks.said.get(id) ?? 'null');
    assert.ok(typeof said === 'object' && said !== null && 'hookSpecificOutput' in said);
    const { hookSpecificOutput } = said;
    assert.ok(typeof hookSpecificOutput === 'object' && hookSpecificOutput !== null);
    assert.ok('hookEventName' in hookSpecificOutput && 'decision' in hookSpecificOutput);
    assert.equal(hookSpecificOutput.hookEventName, 'PermissionRequest');
    return hookSpecificOutput.decision;
  };
  const start = (): void => {
    prompts = new ClaudePrompts({ nativeId, cwd: '/work', asks, clock, status: look });
  };
  beforeEach(() => {
    asks = new FakeAsks();
    clock = new StoppedClock();
    status = undefined;
    start();
  });
  afterEach(() => prompts.dispose());

  it('is a proposal with the exact arguments and the answers of a managed run; each is said in full', () => {
    const input = { command: 'touch x', description: 'make x', extra: [1, { a: null }] };
    for (const [option, expected] of [
      ['allow', { behavior: 'allow', updatedInput: input }],
      ['deny', { behavior: 'deny' }],
      ['never offered', { behavior: 'deny' }],
    ] as const) {
      asks.ask(id, payload('Bash', input));
      const [part] = prompts.open[0]?.parts ?? [];
      assert.ok(part?.type === 'proposal');
      const { action } = part;
      assert.deepEqual(action.input, input);
      assert.deepEqual(
        [action.id, action.tool, action.title, action.cwd, action.risk],
        [`hook-${id}`, 'Bash', 'touch x', '/work', 'high'],
      );
      assert.deepEqual(
        action.options.map(each => each.kind),
        ['allow_once', 'deny'],
      );
      prompts.respondPermission(action.id, option);
      const said = decision();
      assert.ok(typeof said === 'object' && said !== null);
      const { message, ...rest } = { message: undefined, ...said };
      assert.deepEqual(rest, expected);
      assert.equal(typeof message, expected.behavior === 'deny' ? 'string' : 'undefined');
      assert.deepEqual(open(), []);
    }
  });

  it('never grants more than the one suggestion that was chosen', () => {
    const accept = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
    const permission_suggestions = [
      accept,
      { type: 'setMode', mode: 'bypassPermissions', destination: 'session' },
    ];
    asks.ask(id, payload('Write', { file_path: '/work/x', content: 'y' }, { permission_suggestions }));
    const [part] = prompts.open[0]?.parts ?? [];
    assert.ok(part?.type === 'proposal');
    const grant = part.action.options.find(each => each.kind === 'allow_session');
    assert.ok(grant);
    prompts.respondPermission(part.action.id, grant.id);
    const said = decision();
    assert.ok(typeof said === 'object' && said !== null && 'updatedPermissions' in said);
    assert.deepEqual(said.updatedPermissions, [accept]);
    asks.ask(id, payload('Write', { file_path: '/work/x', content: 'y' }, { permission_suggestions }));
    prompts.respondPermission(part.action.id, 'allow');
    assert.ok(!JSON.stringify(decision()).includes('updatedPermissions'));
  });

  it('is a question for each question, and is answered once all are, by the words of the questions', () => {
    asks.ask(id, payload('AskUserQuestion', { questions: [colours, size] }));
    assert.deepEqual(open(), ['AskUserQuestion question question']);
    const [first, second] = (prompts.open[0]?.parts ?? []).map(part =>
      part.type === 'question' ? part.question : undefined,
    );
    assert.ok(first && second);
    prompts.answerQuestion(second.id, { custom: 'between "S" and L' });
    assert.equal(asks.said.size, 0);
    prompts.answerQuestion(first.id, { selected: [first.options[0]?.id ?? '', first.options[2]?.id ?? ''] });
    assert.deepEqual(decision(), {
      behavior: 'allow',
      updatedInput: {
        questions: [colours, size],
        answers: { 'Which colours?': 'Red, Green', 'Which size?': 'between "S" and L' },
      },
    });
  });

  it('is closed by a stop, which ends the turn, whatever is asked', () => {
    assert.ok(!prompts.interrupt(), 'nothing is asked');
    for (const asked of [
      payload('Bash', { command: 'touch x' }),
      payload('AskUserQuestion', { questions: [size] }),
    ]) {
      asks.ask(id, asked);
      assert.ok(prompts.interrupt());
      const said = decision();
      assert.ok(typeof said === 'object' && said !== null && 'behavior' in said && 'interrupt' in said);
      assert.deepEqual([said.behavior, said.interrupt], ['deny', true]);
      assert.deepEqual(prompts.open, []);
      asks.said.clear();
    }
  });

  it('stays at the desk when nobody answers a question', () => {
    asks.ask(id, payload('AskUserQuestion', { questions: [size] }));
    const [part] = prompts.open[0]?.parts ?? [];
    assert.ok(part?.type === 'question');
    prompts.answerQuestion(part.question.id, undefined);
    assert.deepEqual([...asks.said], [[id, undefined]]);
  });

  it('stays at the desk, at once, when it cannot be put to people as it is', () => {
    const cases: readonly unknown[] = [
      {},
      { session_id: nativeId },
      payload('Bash', 'no object'),
      payload('Bash', {}, { hook_event_name: 'PreToolUse' }),
      payload('Bash', {}, { session_id: 'another conversation' }),
      payload('AskUserQuestion', { questions: [] }),
      payload('AskUserQuestion', { questions: [size, size] }),
    ];
    for (const [index, each] of cases.entries()) {
      const name = String(index).padStart(16, '0');
      asks.ask(name, each);
      assert.deepEqual(asks.said.has(name), true, JSON.stringify(each));
      assert.equal(asks.said.get(name), undefined);
    }
    assert.deepEqual(open(), []);
  });

  it('has the same ids again after a restart, and is gone with its hook', () => {
    asks.ask(id, payload('Bash', { command: 'x' }));
    const before = prompts.open;
    prompts.dispose();
    start();
    assert.deepEqual(prompts.open, before);
    let told = 0;
    prompts.onDidChange(() => (told += 1));
    asks.leave(id);
    assert.deepEqual([open(), told], [[], 1]);
    prompts.respondPermission(blockId.parse(`hook-${id}`), 'allow');
    prompts.settle(id);
    assert.equal(asks.said.size, 0);
  });

  it('is released when Claude Code has gone on, and the desk is needed for what no hook tells of', () => {
    asks.ask(id, payload('Bash', { command: 'x' }));
    status = { isWaiting: true, since: clock.now() + 100 };
    clock.pass(400);
    assert.equal(asks.said.size, 0);
    status = { isWaiting: false, since: clock.now() };
    clock.pass(400);
    assert.deepEqual([...asks.said], [[id, undefined]]);
    assert.deepEqual(open(), []);
    const needs: boolean[] = [];
    prompts.onDidChange(() => needs.push(prompts.needsDesk));
    status = { isWaiting: true, since: clock.now() };
    clock.pass(4_000);
    status = { isWaiting: false, since: clock.now() };
    clock.pass(2_000);
    assert.deepEqual(needs, [true, false]);
    prompts.dispose();
    looks = 0;
    clock.pass(10_000);
    assert.equal(looks, 0, 'it looks no more');
  });
});
