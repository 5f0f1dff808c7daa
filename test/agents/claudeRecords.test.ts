import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { say, use } from '../fakes/anthropic/script.ts';
import type { PhoneSession } from '../../phone/state/phoneSession.ts';
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

  /** Its user's own terminal, with one turn, which the phone has taken up. */
  async function readAlong(
    words: string,
  ): Promise<{ session: PhoneSession; user: AgentTerminal; id: string }> {
    rig.anthropic.script(words, [[say(`Done: ${words}.`)]]);
    const known = conversations();
    const user = rig.sitDownElsewhere('--permission-mode', 'default');
    await user.shows(ready);
    await user.enter(words);
    await user.shows(`Done: ${words}.`);
    const id = await untilFound(() => conversations().find(each => !known.includes(each)));
    await untilTrue('it is noticed', () =>
      rig.chain.bridge.externals.live.some(each => each.nativeId === id),
    );
    const session = await rig.takeUp(id);
    await ended(session);
    return { session, user, id };
  }
  async function untilFound(find: () => string | undefined): Promise<string> {
    await untilTrue('its file', () => find() !== undefined);
    return find() ?? '';
  }

  it('are not mixed when somebody runs Claude Code beside a terminal: both branches are told, and where each goes on', async () => {
    const { anthropic } = rig;
    const { session, user, id } = await readAlong('share this');
    anthropic.script('run beside', [[say('Ran beside.')]]);
    anthropic.script('go on here', [[say('Went on here.')]]);
    assert.equal(await rig.sitDownElsewhere('-p', '--resume', id, 'run beside').exit(), 0);
    await untilShown(session, 'text: Ran beside.');
    await user.enter('go on here');
    await untilShown(session, 'text: Went on here.');
    await ended(session, 3);
    assert.equal(
      anthropic.requests.at(-1)?.prompts.join(', '),
      'share this, go on here',
      'it knows of no other',
    );
    assert.deepEqual(shown(session).slice(-7), [
      'prompt delivered: run beside',
      'text: Ran beside.',
      'end completed',
      'note: Went back to before “run beside”, and goes on from there.',
      'prompt delivered: go on here',
      'text: Went on here.',
      'end completed',
    ]);
    await user.enter('/exit');
    await user.exit();
  });

  it('that are forked from one that goes on are conversations of their own', async () => {
    const { anthropic } = rig;
    const { session, user, id } = await readAlong('the origin');
    anthropic.script('in the fork', [[say('Forked.')]]);
    anthropic.script('in the origin', [[say('Not forked.')]]);
    const known = conversations();
    const fork = rig.sitDownElsewhere('-p', '--resume', id, '--fork-session', 'in the fork');
    assert.equal(await fork.exit(), 0);
    const forked = await untilFound(() => conversations().find(each => !known.includes(each)));
    await user.enter('in the origin');
    await untilShown(session, 'text: Not forked.');
    await ended(session, 2);
    assert.equal(rig.at(session).nativeId, id);
    assert.ok(!shown(session).some(line => line.includes('fork') && line !== 'text: Not forked.'));
    assert.ok((await rig.externals()).some(each => each.native_id === forked));
    await user.enter('/exit');
    await user.exit();
  });

  it('stay with their sessions when somebody’s own terminal begins another one; that one is listed', async () => {
    const { session, user, id } = await readAlong('then clear');
    await user.enter('/clear');
    await untilShown(session, 'live');
    assert.equal(rig.at(session).nativeId, id);
    const live = (await rig.externals()).filter(each => each.live === 'yes');
    assert.ok(live.length === 1 && live[0]?.native_id !== id);
    await user.enter('/exit');
    await user.exit();
  });

  it('say nothing of a call whose Claude Code was killed: it is shown as unknown', async () => {
    const { anthropic } = rig;
    const { session, user } = await readAlong('be ready');
    anthropic.script('work long', [
      [use('Bash', { command: 'touch begun.txt && sleep 20' })],
      [say('never')],
    ]);
    await user.enter('work long');
    await user.answer('1', 'Do you want to proceed?');
    await untilShown(session, 'Bash running: no result');
    process.kill(rig.at(session).agentPid, 'SIGKILL');
    await untilShown(session, 'Bash error: unknown');
    assert.deepEqual(await ended(session, 2), ['completed', 'interrupted']);
  });
});
