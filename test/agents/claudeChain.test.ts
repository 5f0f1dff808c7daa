import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say, think, use } from '../fakes/anthropic/script.ts';
import { untilChange } from '../fakes/until.ts';
import { ClaudeChain } from './claudeChainRig.ts';
import { answer, asked, ended, texts, untilPhone } from './phoneScreen.ts';

describe(`a phone and the real Claude Code ${process.env.TERMINULL_CLAUDE_VERSION ?? ''}`, () => {
  let rig: ClaudeChain;
  before(async () => {
    rig = await ClaudeChain.start();
  });
  after(() => rig.dispose());

  it('streams an answer, runs what the phone allows, leaves what it denies, and is stopped', async () => {
    rig.anthropic.script('greet me', [[think('A greeting.'), say('Hello, seen from afar.')]]);
    rig.anthropic.script('allow it', [
      [use('Bash', { command: 'echo yes > allowed.txt' })],
      [say('It ran.')],
    ]);
    rig.anthropic.script('deny it', [
      [use('Bash', { command: 'echo no > denied.txt' })],
      [say('It did not.')],
    ]);
    rig.anthropic.script('go on', [[{ type: 'stall', text: 'I will never end' }]]);
    const session = await rig.begin('greet me');
    assert.deepEqual(await ended(session), ['completed']);
    assert.deepEqual(texts(session), ['Hello, seen from afar.']);

    session.prompt('allow it');
    await answer(session, 'allow_once');
    await ended(session, 2);
    assert.equal(readFileSync(join(rig.chain.workspace, 'allowed.txt'), 'utf8'), 'yes\n');

    session.prompt('deny it');
    await answer(session, 'deny');
    await ended(session, 3);
    assert.equal(existsSync(join(rig.chain.workspace, 'denied.txt')), false);

    session.prompt('go on');
    const turn = await untilPhone('a running turn', session.conversation, ({ entries, summary }) =>
      [...entries.values()].some(entry => entry.type === 'text' && entry.text.startsWith('I will never'))
        ? summary?.turn_id
        : undefined,
    );
    await session.interrupt(turn);
    assert.deepEqual(await ended(session, 4), ['completed', 'completed', 'completed', 'interrupted']);
  });

  it('goes on over a restart of the extension host: same process, one request, done once [D1]', async () => {
    rig.anthropic.script('outlive it', [
      [say('First. '), use('Bash', { command: 'echo once >> count.txt' })],
      [say('Second.')],
    ]);
    const phoneSession = await rig.begin('outlive it');
    await asked(phoneSession);
    const before = rig.chain.bridge.sessions.find(phoneSession.id);
    const pid = before?.agentPid;
    await rig.chain.restartBridge();
    const session = rig.chain.bridge.sessions.find(phoneSession.id);
    assert.ok(session);
    assert.equal(session.agentPid, pid);
    const [request, ...more] = session.pending;
    assert.ok(request);
    assert.equal(more.length, 0);
    assert.equal(session.answer(request.id, 'allow', request.digest, { kind: 'desktop' }).ok, true);
    await untilChange(
      'the end',
      () => [...session.history(0)].some(({ block }) => block.type === 'session_end'),
      session.onDidChange,
    );
    assert.equal(readFileSync(join(rig.chain.workspace, 'count.txt'), 'utf8'), 'once\n');
    const told = [...session.history(0)].flatMap(({ block }) =>
      block.type === 'text' ? [block.text.trim()] : [],
    );
    assert.deepEqual(told, ['First.', 'Second.']);
  });
});
