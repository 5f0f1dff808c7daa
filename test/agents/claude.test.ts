import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say, think, use } from '../fakes/anthropic/script.ts';
import { startClaudeRig, type ClaudeRig } from './claudeRig.ts';

describe(`the real Claude Code ${process.env.TERMINULL_CLAUDE_VERSION ?? ''}`, () => {
  let rig: ClaudeRig;
  beforeEach(async () => {
    rig = await startClaudeRig();
  });
  afterEach(async () => {
    await rig.dispose();
  });

  const file = (name: string): string => join(rig.workspace, name);

  it('is found with its version [T66]', () => {
    assert.equal(rig.agent.version, process.env.TERMINULL_CLAUDE_VERSION);
    assert.equal(rig.agent.command.argv.length, 1);
  });

  it('streams thinking and an answer, each ended once, and says which conversation it is [T25] [T86]', async () => {
    rig.anthropic.script('say hi', [
      [think('They want a greeting.'), say('Hello from the model, in pieces.')],
    ]);
    const conversation = await rig.start({ record: 'answer' });
    assert.equal(await conversation.turn('say hi'), 'completed');
    assert.deepEqual(conversation.texts('thinking'), ['They want a greeting.']);
    assert.deepEqual(conversation.texts(), ['Hello from the model, in pieces.']);
    const growing = conversation.blocks('text').filter(block => !block.done);
    assert.ok(growing.length >= 2, 'the text was told while it grew');
    assert.equal(new Set(conversation.blocks('text').map(block => block.id)).size, 1);
    const types = conversation.events.map(event => event.type);
    assert.equal(types.filter(type => type === 'native_id').length, 1);
    assert.ok(types.indexOf('prompt_accepted') < types.indexOf('block'));
    await conversation.until('a checkpoint after the turn', events =>
      events.findLast(event => event.type === 'checkpoint' || event.type === 'turn_end')?.type ===
      'checkpoint'
        ? true
        : undefined,
    );
    await conversation.stop();
  });

  it('answers a second prompt in the same process, and a local command without the model', async () => {
    rig.anthropic.script('first', [[say('one')]]);
    rig.anthropic.script('second', [[say('two')]]);
    const conversation = await rig.start({ record: 'turns' });
    await conversation.turn('first');
    assert.equal(await conversation.turn('/cost'), 'completed');
    await conversation.turn('second');
    assert.deepEqual([conversation.texts().at(0), conversation.texts().at(-1)], ['one', 'two']);
    assert.equal(rig.anthropic.requests.length, 2);
    assert.equal(conversation.events.filter(event => event.type === 'prompt_accepted').length, 3);
    await conversation.stop();
  });

  it('runs a command after it was allowed, and never before [M62]', async () => {
    const command = 'touch made-by-bash && echo it-ran';
    rig.anthropic.script('run it', [[say('I will.'), use('Bash', { command })], [say('done')]]);
    const conversation = await rig.start({ record: 'bash-allowed' });
    conversation.send('run it');
    const action = await conversation.proposal();
    assert.deepEqual(action.input, { command });
    assert.deepEqual([action.tool, action.title, action.risk], ['Bash', command, 'high']);
    assert.equal(action.cwd, rig.workspace);
    assert.deepEqual([action.options.at(0)?.id, action.options.at(-1)?.id], ['allow', 'deny']);
    assert.ok(!existsSync(file('made-by-bash')), 'nothing ran before the answer');
    conversation.agent.respondPermission(action.id, 'allow');
    assert.equal(await conversation.turnEnd(), 'completed');
    assert.ok(existsSync(file('made-by-bash')));
    assert.deepEqual(
      conversation.blocks('tool_call').map(block => [block.kind, block.status]),
      [
        ['execute', 'running'],
        ['execute', 'done'],
      ],
    );
    const [result] = conversation.blocks('tool_result');
    assert.deepEqual([result?.outcome, result?.content], ['ok', 'it-ran']);
    assert.equal(result?.tool_call_id, action.toolCallId);
    await conversation.stop();
  });

  it('changes nothing when it was denied, and goes on [M44]', async () => {
    rig.anthropic.script('run it', [[use('Bash', { command: 'touch never' })], [say('understood')]]);
    const conversation = await rig.start({ record: 'bash-denied' });
    conversation.answerAll(() => 'deny');
    assert.equal(await conversation.turn('run it'), 'completed');
    assert.ok(!existsSync(file('never')));
    assert.deepEqual(
      conversation.blocks('tool_result').map(block => block.outcome),
      ['denied'],
    );
    assert.deepEqual(conversation.texts(), ['understood']);
    await conversation.stop();
  });

  it('tells an edit and a new file as diffs, and a failed edit as an error', async () => {
    writeFileSync(file('a.txt'), 'one\ntwo\nthree\n');
    const edit = { file_path: file('a.txt'), old_string: 'two', new_string: 'TWO' };
    rig.anthropic.script('edit it', [
      [use('Read', { file_path: file('a.txt') })],
      [use('Edit', edit)],
      [use('Write', { file_path: file('b.txt'), content: 'x\ny\n' })],
      [use('Edit', { ...edit, old_string: 'not there' })],
      [say('edited')],
    ]);
    const conversation = await rig.start({ record: 'edits' });
    conversation.answerAll(() => 'allow');
    assert.equal(await conversation.turn('edit it'), 'completed');
    assert.equal(readFileSync(file('a.txt'), 'utf8'), 'one\nTWO\nthree\n');
    const diffs = conversation.blocks('diff');
    assert.deepEqual(
      diffs.map(block => [block.path, block.added, block.removed, block.truncated]),
      [
        [file('a.txt'), 1, 1, false],
        [file('b.txt'), 2, 0, false],
      ],
    );
    assert.match(diffs[0]?.unified ?? '', /^-two$/m);
    assert.match(diffs[0]?.unified ?? '', /^\+TWO$/m);
    assert.deepEqual(
      conversation.blocks('tool_result').map(block => block.outcome),
      ['ok', 'ok', 'ok', 'error'],
    );
    await conversation.stop();
  });

  it('asks no more for edits once they are allowed for the session, and changes no settings', async () => {
    rig.anthropic.script('write them', [
      [use('Write', { file_path: file('a.txt'), content: 'a\n' })],
      [use('Write', { file_path: file('b.txt'), content: 'b\n' })],
      [use('Bash', { command: 'mkdir made && touch made/c' })],
      [say('written')],
    ]);
    const conversation = await rig.start({ record: 'edits-for-session' });
    conversation.answerAll(action => (action.risk === 'medium' ? 'grant_a' : 'deny'));
    await conversation.turn('write them');
    assert.equal(readFileSync(file('b.txt'), 'utf8'), 'b\n');
    const asked = conversation.events.filter(event => event.type === 'proposal');
    assert.equal(asked[0]?.action.options.find(option => option.id === 'grant_a')?.kind, 'allow_session');
    assert.equal(asked.filter(event => event.action.tool === 'Write').length, 1);
    assert.ok(!existsSync(file('.claude')), 'no settings were written');
    await conversation.stop();
  });
});
