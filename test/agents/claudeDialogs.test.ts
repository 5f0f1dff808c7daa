import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PhoneSession } from '../../phone/state/phoneSession.ts';
import { untilTrue } from '../fakes/keptTerminals.ts';
import { say, use } from '../fakes/anthropic/script.ts';
import { keys, type AgentTerminal } from './agentTerminal.ts';
import { ClaudeChain } from './claudeChainRig.ts';
import { answer, asked, ended, shown, untilPhone, untilShown } from './phoneScreen.ts';

const ready = /shortcuts|mode on/;
const proceed = 'Do you want to proceed?';
const colour = {
  question: 'Which colour?',
  header: 'Colour',
  multiSelect: false,
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cool' },
  ],
};

const shape = {
  question: 'Which shape?',
  header: 'Shape',
  multiSelect: false,
  options: [
    { label: 'Round', description: 'o' },
    { label: 'Square', description: 'x' },
  ],
};

describe(`dialogs in the terminal of the real Claude Code ${process.env.TERMINULL_CLAUDE_VERSION ?? ''}`, () => {
  let rig: ClaudeChain;
  let session: PhoneSession;
  let desk: AgentTerminal;
  let turns = 0;
  let settings: { readonly path: string; readonly bytes: Buffer };
  before(async () => {
    rig = await ClaudeChain.start({ name: 'my \'work\' "dir" 日本' });
    // The user's own hooks, which run as ever.
    const path = join(rig.home, '.claude', 'settings.json');
    const note = (event: string) => ({
      [event]: [{ hooks: [{ type: 'command', command: `echo ${event} >> ${join(rig.home, 'own-hooks')}` }] }],
    });
    const own: unknown = JSON.parse(readFileSync(path, 'utf8'));
    assert.ok(typeof own === 'object');
    const hooks = { ...note('PreToolUse'), ...note('PermissionRequest') };
    writeFileSync(path, `${JSON.stringify({ ...own, hooks }, undefined, 3)}\n\n`);
    settings = { path, bytes: readFileSync(path) };
    ({ session, desk } = await rig.beginAtDesk());
    await desk.shows(ready);
  });
  after(() => rig.dispose());

  const made = (name: string): string => join(rig.chain.workspace, name);
  /** Whether a session's command has run. */
  const ran = (name: string): boolean => existsSync(made(name));
  /** The user at the desk has the agent run a command, which it asks about. */
  async function run(name: string, command = `echo yes > ${name}`): Promise<void> {
    turns += 1;
    rig.anthropic.script(`run ${name}`, [[use('Bash', { command })], [say(`After ${name}.`)]]);
    await desk.enter(`run ${name}`);
    await desk.shows(proceed);
  }
  /** How the newest request was answered, as the phone shows it. */
  const resolution = () => [...session.conversation.value.resolutions.values()].at(-1);

  it('is allowed from the phone, with the exact action before it; the dialog closes and the tool runs', async () => {
    const times: number[] = [];
    for (const name of ['one', 'two', 'three', 'four', 'five']) {
      await run(name);
      const request = await asked(session);
      assert.deepEqual(request.input, { command: `echo yes > ${name}` });
      assert.match(request.tool_call_id ?? '', /^toolu_/);
      assert.equal(request.cwd, rig.chain.workspace);
      await untilPhone(
        'it waits',
        session.conversation,
        now => now.summary?.activity === 'awaiting_approval',
      );
      assert.ok(!ran(name));
      const began = performance.now();
      await answer(session, 'allow_once');
      await untilTrue('the command has run', () => ran(name));
      times.push(performance.now() - began);
      await ended(session, turns);
      assert.equal(resolution()?.by, 'device');
      assert.ok(!desk.screen.includes(proceed));
    }
    const [, , median = 0] = times.sort((a, b) => a - b);
    console.log(`      from the phone's answer to the tool's run: ${median.toFixed(0)} ms`);
  });

  it('is denied from the phone: nothing runs, and the model is told why', async () => {
    await run('denied');
    await answer(session, 'deny');
    await ended(session, turns);
    assert.ok(!ran('denied'));
    await desk.shows('After denied.');
    assert.ok(desk.screen.includes('said no to this action'));
    assert.equal(resolution()?.granted, false);
  });

  it('is answered at the desk first: the card closes as answered there', async () => {
    await run('at-desk');
    await asked(session);
    await desk.answer('1', proceed);
    await untilPhone('the card closes', session.pending, pending => pending.length === 0);
    await ended(session, turns);
    assert.ok(ran('at-desk'));
    await untilPhone(
      'how',
      session.conversation,
      () => resolution()?.by === 'terminal' && resolution()?.granted,
    );
  });

  it('that runs long after the desk has allowed it is closed at once, not when it has run', async () => {
    await run('long', 'sleep 4; echo yes > long');
    await asked(session);
    const began = performance.now();
    await desk.answer('1', proceed);
    await untilPhone('the card closes', session.pending, pending => pending.length === 0);
    assert.ok(performance.now() - began < 3_000 && !ran('long'));
    await ended(session, turns);
  });

  it('is answered by phone and desk at the same moment: once, and told as it was', async () => {
    for (const name of ['both-1', 'both-2', 'both-3']) {
      await run(name);
      const request = await asked(session);
      const deny = request.options.find(option => option.kind === 'deny');
      assert.ok(deny);
      desk.press('1');
      await session.answer(request, deny).catch(() => undefined);
      await ended(session, turns);
      await untilPhone(
        'what it says is what was',
        session.conversation,
        () => resolution()?.granted === ran(name),
      );
      console.log(`      ${name}: ${ran(name) ? 'the desk' : 'the phone'} was first`);
      assert.equal(session.pending.value.length, 0);
    }
  });

  it('asks a question, which is answered from the phone', async () => {
    turns += 1;
    rig.anthropic.script('ask me', [[use('AskUserQuestion', { questions: [colour] })], [say('Blue it is.')]]);
    await desk.enter('ask me');
    await desk.shows('Which colour?');
    const question = await untilPhone('the question', session.questions, questions => questions[0]);
    assert.equal(question.text, 'Which colour?');
    await untilPhone('it waits', session.conversation, now => now.summary?.activity === 'awaiting_question');
    await session.answerQuestion(question, { selected: [question.options[1]?.id ?? ''] });
    await untilShown(session, 'text: Blue it is.');
    await desk.shows(/Which colour\? → Blue|colour\?.*Blue/);
  });

  it('asks a question, which is answered at the desk: its card closes', async () => {
    turns += 1;
    rig.anthropic.script('ask again', [
      [use('AskUserQuestion', { questions: [shape] })],
      [say('Round it is.')],
    ]);
    await desk.enter('ask again');
    const question = await untilPhone('the question', session.questions, questions => questions[0]);
    await desk.answer('1', '2. Square');
    await untilPhone('the card closes', session.questions, questions => questions.length === 0);
    const closed = session.conversation.value.questionResolutions.get(question.id);
    assert.deepEqual([closed?.by, closed?.selected], ['terminal', undefined]);
    await untilShown(session, 'text: Round it is.');
  });

  it('waits over a restart of the editor, and is answered afterwards [D1]', async () => {
    await run('restarted');
    const { id } = await asked(session);
    await rig.chain.stopBridge();
    await rig.chain.startBridge();
    session = await rig.reopen(session);
    const again = await asked(session);
    assert.equal(again.id, id);
    await answer(session, 'allow_once');
    await untilTrue('the command has run', () => ran('restarted'));
    await untilShown(session, 'text: After restarted.');
    const asks = [...rig.at(session).history(0)].filter(
      ({ block }) => block.id === id && block.type === 'permission_request',
    );
    assert.equal(asks.length, 1);
  });

  it('works at the desk as ever while no editor is there, and is told afterwards', async () => {
    await run('before');
    await asked(session);
    await rig.chain.stopBridge();
    await desk.answer('1', proceed);
    await desk.shows('After before.');
    await run('alone');
    await desk.answer('1', proceed);
    await desk.shows('After alone.');
    assert.ok(ran('before') && ran('alone'));
    await rig.chain.startBridge();
    session = await rig.reopen(session);
    await untilShown(session, 'text: After alone.');
    await untilPhone('nothing waits', session.pending, pending => pending.length === 0);
    await untilPhone('it rests', session.conversation, now => now.summary?.activity === 'idle');
    assert.ok(!shown(session).some(line => line.endsWith('no result')), shown(session).join('\n'));
  });

  it('leaves the user’s settings as they are, and the user’s own hooks run', () => {
    assert.ok(readFileSync(settings.path).equals(settings.bytes));
    assert.ok(!existsSync(join(rig.home, '.claude', 'settings.local.json')));
    assert.ok(!existsSync(made('.claude')));
    const own = readFileSync(join(rig.home, 'own-hooks'), 'utf8').split('\n');
    assert.ok(own.includes('PreToolUse') && own.includes('PermissionRequest'), own.join());
  });

  it('that no hook tells of needs the desk; the phone says so, and so does its end [F55]', async () => {
    writeFileSync(
      settings.path,
      JSON.stringify({ permissions: { defaultMode: 'default' }, disableAllHooks: true }),
    );
    await desk.enter('/exit');
    await desk.exit();
    await untilShown(session, 'live');
    desk = await rig.moveToDesk(session);
    await desk.shows(ready);
    await run('unseen');
    await untilPhone('the desk is needed', session.conversation, now => now.summary?.needs_desk === true);
    assert.deepEqual(session.pending.value.length, 0);
    await desk.answer('1', proceed);
    await untilPhone('no more', session.conversation, now => now.summary?.needs_desk === undefined);
    await untilShown(session, 'text: After unseen.');
  });

  it('is denied at the desk: the card closes as answered there', async () => {
    writeFileSync(settings.path, settings.bytes);
    await desk.enter('/exit');
    await desk.exit();
    await untilPhone('it is back', session.conversation, now => now.summary?.owner !== 'terminal');
    desk = await rig.moveToDesk(session);
    await desk.shows(ready);
    await run('not-at-desk');
    await asked(session);
    await desk.answer('3', proceed);
    await untilPhone('the card closes', session.pending, pending => pending.length === 0);
    assert.deepEqual([resolution()?.by, resolution()?.granted], ['terminal', false]);
    assert.ok(!ran('not-at-desk'));
    await untilShown(session, /^end interrupted/);
  });

  it('that asks whether to trust the folder, before there is a conversation, needs the desk [F55]', async () => {
    await desk.enter('/exit');
    await desk.exit();
    await untilPhone('it is back', session.conversation, now => now.summary?.owner !== 'terminal');
    const file = join(rig.home, '.claude.json');
    const known: unknown = JSON.parse(readFileSync(file, 'utf8'));
    assert.ok(typeof known === 'object');
    writeFileSync(file, JSON.stringify({ ...known, projects: {} }));
    desk = await rig.moveToDesk(session);
    await desk.shows('Yes, I trust this folder');
    await untilPhone('the desk is needed', session.conversation, now => now.summary?.needs_desk === true);
    desk.press(keys.escape);
    await desk.exit();
    await untilPhone('no more', session.conversation, now => now.summary?.needs_desk === undefined);
  });
});
