import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentBlock, AgentEvent } from '../../src/adapters/agent.ts';
import { openClaudeRecord } from '../../src/adapters/claude/conversationRecord.ts';
import { say, think, use } from '../fakes/anthropic/script.ts';
import { keys } from './agentTerminal.ts';
import { startClaudeRig, type ClaudeRig } from './claudeRig.ts';
import { keepRecord } from './conversationRecorder.ts';
import { FollowedRecord } from './followedRecord.ts';

const ready = /shortcuts|mode on/;
const version = process.env.TERMINULL_CLAUDE_VERSION ?? '';

describe(`the terminal of the real Claude Code ${version}`, () => {
  let rig: ClaudeRig;
  beforeEach(async () => {
    rig = await startClaudeRig();
  });
  afterEach(async () => {
    await rig.dispose();
  });

  const files = (): readonly string[] =>
    readdirSync(rig.projects, { recursive: true, encoding: 'utf8' }).sort();
  const fileOf = (id: string): string => {
    const [found, ...others] = files().filter(name => name.endsWith(`${id}.jsonl`));
    assert.ok(found !== undefined && others.length === 0, files().join(' '));
    return join(rig.projects, found);
  };
  const openRecord = (id: string) => rig.terminal.openRecord(rig.agent, id);

  it('goes on with a managed conversation; its record tells prompts, texts, tools and the ends of turns', async () => {
    const written = join(rig.workspace, 'new.txt');
    rig.anthropic.script('managed prompt', [[think('hm'), say('A managed answer.')]]);
    rig.anthropic.script('typed prompt', [[think('typed'), say('An answer in the terminal.')]]);
    rig.anthropic.script('run it', [
      [say('I will.'), use('Bash', { command: 'touch made && echo ran' })],
      [say('It ran.')],
    ]);
    rig.anthropic.script('write it', [
      [use('Write', { file_path: written, content: 'x\ny\n' })],
      [say('Written.')],
    ]);
    const managed = await rig.start();
    await managed.turn('managed prompt');
    const id = await managed.until('its id', events => events.find(event => event.type === 'native_id')?.id);
    await managed.stop();

    const record = openRecord(id);
    const from = record.end;
    assert.equal(from, readFileSync(fileOf(id)).length, 'Claude Code ends its file with a whole line');
    const followed = new FollowedRecord(record, from);
    const terminal = rig.openTerminal({ id, isNew: false });
    await terminal.shows('A managed answer.');
    await terminal.shows(ready);
    await terminal.enter('typed prompt');
    assert.equal(await followed.turn(1), 'completed');
    await terminal.enter('run it');
    await terminal.shows('Do you want to proceed?');
    assert.ok(!existsSync(join(rig.workspace, 'made')), 'nothing ran before the answer');
    await terminal.answer('1', 'Do you want to proceed?');
    assert.equal(await followed.turn(2), 'completed');
    await terminal.enter('write it');
    await terminal.answer('1', 'Do you want to create');
    assert.equal(await followed.turn(3), 'completed');
    await terminal.enter('/exit');
    assert.equal(await terminal.exit(), 0);

    const before = { names: files(), bytes: readFileSync(fileOf(id)) };
    const events = await followed.finish();
    assert.deepEqual(followed.prompts, ['typed prompt', 'run it', 'write it']);
    assert.deepEqual(followed.texts, ['An answer in the terminal.', 'I will.', 'It ran.', 'Written.']);
    assert.deepEqual(
      followed.blocks('thinking').map(block => block.text),
      ['typed'],
    );
    assert.match(followed.blocks('text')[0]?.id ?? '', /^msg_\d+\.1$/);
    const calls = followed.blocks('tool_call').map(block => `${block.name} ${block.status}`);
    assert.deepEqual(calls, ['Bash running', 'Bash done', 'Write running', 'Write done']);
    assert.deepEqual(
      followed.blocks('tool_result').map(block => block.outcome),
      ['ok', 'ok'],
    );
    assert.deepEqual(
      followed.blocks('diff').map(block => [block.path, block.added]),
      [[written, 2]],
    );
    assert.deepEqual(followed.ends, ['completed', 'completed', 'completed']);

    const again = new FollowedRecord(openRecord(id), from);
    assert.deepEqual(await again.finish(), events, 'the same bytes give the same events');
    assert.equal(openRecord(id).sourceId, record.sourceId);
    assert.deepEqual({ names: files(), bytes: readFileSync(fileOf(id)) }, before, 'it was only read');
    keepRecord('handed-over', version, rig.folder, fileOf(id));
  });

  it('has a record that names everything as a managed run does, so that nothing is shown twice', async () => {
    const written = join(rig.workspace, 'new.txt');
    rig.anthropic.script('do it all', [
      [think('first'), say('I will.'), use('Bash', { command: 'touch made && echo ran' })],
      [
        think('then'),
        use('Write', { file_path: written, content: 'x\n' }),
        use('Bash', { command: 'false' }),
      ],
      [say('All done.')],
    ]);
    const managed = await rig.start();
    managed.answerAll(() => 'allow');
    assert.equal(await managed.turn('do it all'), 'completed');
    const id = await managed.until('its id', events => events.find(event => event.type === 'native_id')?.id);
    await managed.stop();
    const followed = new FollowedRecord(openRecord(id), 0);
    assert.deepEqual(await followed.finish(), [], 'what a managed run did is told already');

    // The same conversation, had it been held in the terminal.
    const home = join(rig.folder, 'other');
    const project = join(home, '.claude', 'projects', '-p');
    mkdirSync(project, { recursive: true });
    const text = readFileSync(fileOf(id), 'utf8').replaceAll('"entrypoint":"sdk-cli"', '"entrypoint":"cli"');
    writeFileSync(join(project, `${id}.jsonl`), text);
    const held = new FollowedRecord(openClaudeRecord(id, { HOME: home, USERPROFILE: home }), 0);
    await held.finish();
    const blocksOf = (events: readonly AgentEvent[]): readonly AgentBlock[] => {
      const blocks = events.flatMap(event => (event.type === 'block' ? [event.block] : []));
      const finalForms = new Map(blocks.map(block => [block.id, block]));
      return [...finalForms.values()].sort((a, b) => a.id.localeCompare(b.id));
    };
    assert.ok(blocksOf(managed.events).length >= 10);
    assert.deepEqual(blocksOf(held.events), blocksOf(managed.events));
    assert.deepEqual(held.ends, ['completed']);
  });

  it('is interrupted by its user, in an answer and before a tool', async () => {
    rig.anthropic.script('never ends', [[{ type: 'stall', text: 'begun and never ' }]]);
    rig.anthropic.script('not this', [[use('Bash', { command: 'touch never' })], [say('not said')]]);
    const id = rig.terminal.newId();
    const followed = new FollowedRecord(openRecord(id), 0);
    const terminal = rig.openTerminal({ id, isNew: true });
    await terminal.shows(ready);
    await terminal.enter('never ends');
    await terminal.shows('esc to interrupt');
    await terminal.shows(/begun|↓ [1-9]/);
    terminal.press(keys.escape);
    assert.equal(await followed.turn(1), 'interrupted');
    await terminal.shows('Interrupted');
    terminal.press(keys.eraseLine);
    await terminal.enter('not this');
    await terminal.answer(keys.escape, 'Do you want to proceed?');
    assert.equal(await followed.turn(2), 'interrupted');
    await terminal.dispose();
    await followed.finish();
    assert.deepEqual(followed.prompts, ['never ends', 'not this']);
    assert.deepEqual(
      followed.texts.filter(text => !text.startsWith('begun')),
      [],
    );
    assert.ok(!existsSync(join(rig.workspace, 'never')));
    assert.match(followed.blocks('tool_result')[0]?.outcome ?? '', /denied|interrupted/);
    assert.equal(followed.ends.length, 2);
    keepRecord('interrupted', version, rig.folder, fileOf(id));
  });

  it('takes a prompt that is typed while it works into the turn that runs', async () => {
    rig.anthropic.script('work slowly', [
      [use('Bash', { command: 'sleep 3; echo slept' })],
      [say('Both are done.')],
    ]);
    const id = rig.terminal.newId();
    const followed = new FollowedRecord(openRecord(id), 0);
    const terminal = rig.openTerminal({ id, isNew: true });
    await terminal.shows(ready);
    await terminal.enter('work slowly');
    await followed.until('the call', () => followed.blocks('tool_call').length > 0);
    await terminal.enter('and this');
    assert.equal(await followed.turn(1), 'completed');
    assert.deepEqual(followed.prompts, ['work slowly', 'and this']);
    assert.deepEqual(followed.texts, ['Both are done.']);
    await terminal.enter('/exit');
    await terminal.exit();
    await followed.finish();
    assert.deepEqual(followed.ends, ['completed']);
    keepRecord('queued', version, rig.folder, fileOf(id));
  });

  it('tells commands that the model has to do with as prompts, failures as errors, and nothing of the rest', async () => {
    const commands = join(rig.workspace, '.claude', 'commands');
    mkdirSync(commands, { recursive: true });
    writeFileSync(join(commands, 'mine.md'), 'a command of mine: $ARGUMENTS');
    rig.anthropic.script('a command of mine', [[say('As commanded.')]]);
    rig.anthropic.script('too much', [{ status: 429, error: 'rate_limit_error', message: 'slow down' }]);
    rig.anthropic.script('summary', [[say('<summary>what was said</summary>')]]);
    rig.anthropic.script('afterwards', [[say('Still here.')]]);
    const id = rig.terminal.newId();
    const followed = new FollowedRecord(openRecord(id), 0);
    const terminal = rig.openTerminal({ id, isNew: true });
    await terminal.shows(ready);
    await terminal.enter('/mine now');
    assert.equal(await followed.turn(1), 'completed');
    await terminal.enter('too much');
    assert.equal(await followed.turn(2), 'error');
    await terminal.enter('/compact');
    await terminal.shows('Compacted');
    await terminal.enter('afterwards');
    assert.equal(await followed.turn(3), 'completed');
    await terminal.enter('/exit');
    await terminal.exit();
    await followed.finish();
    assert.deepEqual(followed.prompts, ['/mine now', 'too much', 'afterwards']);
    assert.deepEqual(followed.texts, ['As commanded.', 'Still here.']);
    assert.deepEqual(
      followed.blocks('error').map(block => block.code),
      ['rate_limited'],
    );
    assert.deepEqual(followed.ends, ['completed', 'error', 'completed']);
    keepRecord('commands', version, rig.folder, fileOf(id));
  });
});
