import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processStart } from '../../platform/node/files/processStart.ts';
import type { PhoneSession } from '../../phone/state/phoneSession.ts';
import { say, think, use } from '../fakes/anthropic/script.ts';
import { ClaudeChain } from './claudeChainRig.ts';
import { answer, ended, shown, untilPhone, untilShown } from './phoneScreen.ts';

const ready = /shortcuts|mode on/;

describe(`a handoff of the real Claude Code ${process.env.TERMINULL_CLAUDE_VERSION ?? ''}`, () => {
  let rig: ClaudeChain;
  before(async () => {
    rig = await ClaudeChain.start();
  });
  after(() => rig.dispose());

  /** The one file in which Claude Code keeps the conversation, whose earlier bytes are as they were. */
  function fileOf(session: PhoneSession, earlier: Uint8Array = new Uint8Array()): Buffer {
    const [file = '', ...others] = rig.projectFiles;
    assert.deepEqual(others, [], 'no file beside it');
    assert.ok(file.endsWith(`${rig.at(session).nativeId ?? '?'}.jsonl`));
    const bytes = readFileSync(file);
    assert.ok(bytes.length > earlier.length, 'it grows');
    assert.ok(bytes.subarray(0, earlier.length).equals(earlier), 'it is only appended to');
    return bytes;
  }

  const inWorkspace = (name: string): string => join(rig.chain.workspace, name);

  it('goes from the phone to the desk and back: one conversation, one writer, and its own file [T115] [T109] [T114] [D3] [D4]', async () => {
    const { anthropic, chain } = rig;
    anthropic.script('greet me', [[think('A greeting.'), say('Hello, seen from afar.')]]);
    anthropic.script('allow it', [[use('Bash', { command: 'echo yes > allowed.txt' })], [say('It ran.')]]);
    anthropic.script('deny it', [[use('Bash', { command: 'echo no > denied.txt' })], [say('It did not.')]]);
    anthropic.script('go on', [[{ type: 'stall', text: 'I will never end' }]]);
    anthropic.script('typed at the desk', [[say('An answer at the desk.')]]);
    anthropic.script('run it here', [
      [say('I will.'), use('Bash', { command: 'echo here > desk.txt' })],
      [say('It ran at the desk.')],
    ]);
    anthropic.script('still mine', [[say('The desk goes on.')]]);
    anthropic.script('sent meanwhile', [[say('Back with the phone.')]]);

    const session = await rig.begin('greet me');
    await ended(session);
    session.prompt('allow it');
    await answer(session, 'allow_once');
    await ended(session, 2);
    session.prompt('deny it');
    await answer(session, 'deny');
    await ended(session, 3);
    session.prompt('go on');
    await untilShown(session, /^text: I will never/);
    const turn = session.conversation.value.summary?.turn_id;
    assert.ok(turn);
    await session.interrupt(turn);
    assert.deepEqual(await ended(session, 4), ['completed', 'completed', 'completed', 'interrupted']);
    assert.ok(existsSync(inWorkspace('allowed.txt')) && !existsSync(inWorkspace('denied.txt')));
    const { agentPid: managedPid, nativeId } = rig.at(session);
    const beforeDesk = fileOf(session);
    const told = shown(session).length;

    const desk = await rig.moveToDesk(session);
    await untilShown(session, 'mirroring');
    await untilPhone('the phone knows', session.conversation, now => now.summary?.owner === 'terminal');
    assert.equal(processStart(managedPid), undefined, 'one writer');
    await desk.shows('Hello, seen from afar.');
    await desk.shows('It did not.');
    await desk.shows(ready);
    await desk.enter('typed at the desk');
    await ended(session, 5);
    await desk.enter('run it here');
    await desk.answer('1', 'Do you want to proceed?');
    await ended(session, 6);
    assert.equal(readFileSync(inWorkspace('desk.txt'), 'utf8'), 'here\n');
    session.prompt('sent meanwhile');
    await untilShown(session, 'prompt queued: sent meanwhile');
    await desk.enter('still mine');
    await ended(session, 7);
    await desk.shows('The desk goes on.');
    assert.ok(!desk.screen.includes('sent meanwhile'), 'it is not typed');
    assert.equal(anthropic.count('sent meanwhile'), 0);
    assert.ok(shown(session).includes('prompt queued: sent meanwhile'));
    const atDesk = fileOf(session, beforeDesk);
    const terminalPid = rig.at(session).agentPid;

    await desk.enter('/exit');
    assert.equal(await desk.exit(), 0);
    await untilShown(session, 'text: Back with the phone.');
    await ended(session, 8);
    assert.deepEqual(shown(session).slice(told), [
      'mirroring',
      'prompt delivered: typed at the desk',
      'text: An answer at the desk.',
      'end completed',
      'prompt delivered: run it here',
      'text: I will.',
      'Bash done: ok',
      'text: It ran at the desk.',
      'end completed',
      'prompt delivered: sent meanwhile',
      'prompt delivered: still mine',
      'text: The desk goes on.',
      'end completed',
      'live',
      'text: Back with the phone.',
      'end completed',
    ]);
    assert.equal(session.conversation.value.seq, rig.at(session).lastSeq);
    assert.equal(rig.at(session).nativeId, nativeId);
    assert.notEqual(rig.at(session).agentPid, terminalPid);
    assert.equal(processStart(terminalPid), undefined, 'one writer');
    fileOf(session, atDesk);
    assert.equal(
      anthropic.requests.at(-1)?.prompts.join(', '),
      'greet me, allow it, deny it, go on, typed at the desk, run it here, still mine, sent meanwhile',
      'the agent remembers every turn',
    );
    assert.equal(chain.bridge.sessions.all.length, 1);
  });
});
