import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { say } from '../fakes/anthropic/script.ts';
import { untilTrue } from '../fakes/untilTrue.ts';
import type { AgentTerminal } from './agentTerminal.ts';
import { ClaudeChain } from './claudeChainRig.ts';
import { keys } from './agentTerminal.ts';
import { ended, shown, untilShown } from './phoneScreen.ts';

const ready = /shortcuts|mode on/;
const version = process.env.TERMINULL_CLAUDE_VERSION ?? '';

describe(`the files of the real Claude Code ${version}`, () => {
  let rig: ClaudeChain;
  before(async () => {
    rig = await ClaudeChain.start();
  });
  after(() => rig.dispose());

  /** Esc Esc, and the newest prompt. */
  async function goBack(desk: AgentTerminal): Promise<void> {
    desk.press(keys.escape);
    desk.press(keys.escape);
    await desk.shows('Rewind');
    desk.press('\x1b[A');
    await desk.shows(/^ {2}❯ (?!\(current\))\w/m);
    desk.press(keys.enter);
    await desk.answer(keys.enter, 'Restore conversation');
    desk.press(keys.eraseLine);
  }
  const conversations = (): readonly string[] =>
    rig.projectFiles.filter(file => file.endsWith('.jsonl')).map(file => basename(file, '.jsonl'));

  it('say where its user went back, followed and read whole [T106]', async () => {
    const { anthropic } = rig;
    for (const word of ['first', 'wrong', 'right']) anthropic.script(`say ${word}`, [[say(`Said ${word}.`)]]);
    const { session, desk } = await rig.beginAtDesk();
    await desk.shows(ready);
    await desk.enter('say first');
    await ended(session);
    await desk.enter('say wrong');
    await ended(session, 2);
    await goBack(desk);
    await desk.enter('say right');
    await ended(session, 3);
    assert.deepEqual(
      shown(session).slice(-9),
      [
        'prompt delivered: say first',
        'text: Said first.',
        'end completed',
        'prompt delivered: say wrong',
        'text: Said wrong.',
        'end completed',
        'note: Went back to before “say wrong”, and goes on from there.',
        'prompt delivered: say right',
        'text: Said right.',
        'end completed',
      ].slice(-9),
    );
    assert.equal(anthropic.requests.at(-1)?.prompts.join(', '), 'say first, say right');
    await desk.enter('/exit');
    await desk.exit();
    await untilShown(session, 'live');
  });

  it('are followed when the terminal begins another one with /clear, and after it [T113]', async () => {
    const { anthropic } = rig;
    for (const word of ['before', 'after', 'later'])
      anthropic.script(`tell ${word}`, [[say(`Told ${word}.`)]]);
    const { session, desk } = await rig.beginAtDesk();
    await desk.shows(ready);
    await desk.enter('tell before');
    await ended(session);
    const old = rig.at(session).nativeId;
    await desk.enter('/clear');
    await untilTrue('the session has gone along', () => rig.at(session).nativeId !== old);
    await desk.enter('tell after');
    await untilShown(session, 'text: Told after.');
    await ended(session, 2);
    assert.ok(conversations().includes(rig.at(session).nativeId ?? ''));
    assert.ok(
      (await rig.externals()).some(each => each.native_id === old),
      'the old one can be taken up',
    );
    await desk.enter('/exit');
    await desk.exit();
    session.prompt('tell later');
    await ended(session, 3);
    assert.equal(anthropic.requests.at(-1)?.prompts.join(', '), 'tell after, tell later');
    assert.equal(shown(session).filter(line => line === 'text: Told before.').length, 1);
  });
});
