import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { processStart } from '../../platform/node/files/processStart.ts';
import type { PhoneSession } from '../../phone/state/phoneSession.ts';
import { say, use } from '../fakes/anthropic/script.ts';
import { untilTrue } from '../fakes/untilTrue.ts';
import { ClaudeChain } from './claudeChainRig.ts';
import { ended, shown, untilPhone, untilShown } from './phoneScreen.ts';

const ready = /shortcuts|mode on/;

describe(`the real Claude Code ${process.env.TERMINULL_CLAUDE_VERSION ?? ''} in a terminal of its user’s own`, () => {
  let rig: ClaudeChain;
  before(async () => {
    rig = await ClaudeChain.start();
  });
  after(() => rig.dispose());

  const ownedBy = (session: PhoneSession, owner: string | undefined): Promise<unknown> =>
    untilPhone(
      `it is with ${String(owner)}`,
      session.conversation,
      now => now.summary !== undefined && now.summary.owner === owner,
    );

  it('is listed, read along, left alone, and taken over once its user has gone [T106] [T107] [T108] [T111] [T112] [T114]', async () => {
    const { anthropic, chain } = rig;
    anthropic.script('said before', [[say('An earlier answer.')]]);
    anthropic.script('typed there', [
      [say('I will.'), use('Bash', { command: 'echo there > there.txt' })],
      [say('It ran there.')],
    ]);
    anthropic.script('from the phone', [[say('Now for the phone.')]]);
    const user = rig.sitDownElsewhere('--permission-mode', 'default');
    await user.shows(ready);
    await user.enter('said before');
    await user.shows('An earlier answer.');
    await untilTrue('it is noticed', () => chain.bridge.externals.live.length === 1);
    // Its record is written some time after its screen.
    await untilTrue('it has a name', () =>
      rig.projectFiles.some(file => readFileSync(file, 'utf8').includes('turn_duration')),
    );
    const [found, ...others] = await rig.externals();
    assert.ok(found && others.length === 0);
    assert.deepEqual([found.title, found.live, found.cwd], ['said before', 'yes', chain.workspace]);

    const session = await rig.takeUp(found.native_id);
    await untilShown(session, 'text: An earlier answer.');
    await ownedBy(session, 'elsewhere');
    assert.deepEqual(await rig.externals(), [], 'it is a session now');
    await user.enter('typed there');
    await user.answer('1', 'Do you want to proceed?');
    await ended(session, 2);
    session.prompt('from the phone');
    await untilShown(session, 'prompt queued: from the phone');
    assert.equal(anthropic.count('from the phone'), 0);
    const { agentPid: userPid } = rig.at(session);
    assert.ok(processStart(userPid) !== undefined);

    await user.enter('/exit');
    assert.equal(await user.exit(), 0);
    await untilShown(session, 'text: Now for the phone.');
    await ended(session, 3);
    const told = shown(session).filter(line => line !== 'releasing');
    assert.deepEqual(told, [
      'mirroring',
      'prompt delivered: said before',
      'text: An earlier answer.',
      'end completed',
      'prompt delivered: typed there',
      'text: I will.',
      'Bash done: ok',
      'text: It ran there.',
      'end completed',
      'prompt delivered: from the phone',
      'live',
      'text: Now for the phone.',
      'end completed',
    ]);
    assert.equal(rig.projectFiles.length, 1, 'the same conversation');
    assert.equal(anthropic.requests.at(-1)?.prompts.join(', '), 'said before, typed there, from the phone');
  });

  it('has its conversation when its user opens one that is with the phone, and gives it back [D3] [T103]', async () => {
    const { anthropic } = rig;
    anthropic.script('greet me', [[say('Hello.')]]);
    anthropic.script('mine now', [[say('Yours now.')]]);
    anthropic.script('and now mine', [[say('Back again.')]]);
    const session = await rig.begin('greet me');
    await ended(session);
    const { agentPid, nativeId } = rig.at(session);
    assert.ok(nativeId !== undefined);
    const user = rig.sitDownElsewhere('--resume', nativeId);
    await user.shows(ready);
    await ownedBy(session, 'elsewhere');
    assert.equal(processStart(agentPid), undefined, 'one writer');
    await user.enter('mine now');
    await untilShown(session, 'text: Yours now.');
    session.prompt('and now mine');
    await untilShown(session, 'prompt queued: and now mine');
    await user.enter('/exit');
    await user.exit();
    await untilShown(session, 'text: Back again.');
    await ended(session, 3);
    assert.equal(anthropic.requests.at(-1)?.prompts.join(', '), 'greet me, mine now, and now mine');
    assert.equal(rig.at(session).nativeId, nativeId);
  });

  it('goes on in a copy on the phone while its user goes on there: two conversations, and neither is in the other', async () => {
    const { anthropic, chain } = rig;
    anthropic.script('both know this', [[say('Yes.')]]);
    anthropic.script('only the copy', [[say('In the copy.')]]);
    anthropic.script('only the original', [[say('In the original.')]]);
    const user = rig.sitDownElsewhere();
    await user.shows(ready);
    await user.enter('both know this');
    await user.shows('Yes.');
    await untilTrue('it is noticed', () => chain.bridge.externals.live.length === 1);
    const [found] = chain.bridge.externals.live;
    assert.ok(found);
    await untilTrue('it is written', () =>
      rig.projectFiles.some(
        file => file.includes(found.nativeId) && readFileSync(file, 'utf8').includes('Yes.'),
      ),
    );
    const copy = await rig.copy(found.nativeId);
    await untilShown(copy, 'text: Yes.');
    copy.prompt('only the copy');
    await untilShown(copy, 'text: In the copy.');
    await ended(copy, 2);
    await user.enter('only the original');
    await user.shows('In the original.');
    assert.ok(!shown(copy).some(line => line.includes('original')));
    assert.notEqual(rig.at(copy).nativeId, found.nativeId);
    const asked = anthropic.requests.map(({ prompts }) => prompts.join(', '));
    assert.ok(asked.includes('both know this, only the copy'));
    assert.ok(asked.includes('both know this, only the original'));
    await user.enter('/exit');
    await user.exit();
  });

  it('is read on after the editor was closed, also what was said meanwhile by somebody who has gone [C48]', async () => {
    const { anthropic, chain } = rig;
    anthropic.script('begin here', [[say('Begun.')]]);
    anthropic.script('while closed', [[say('Nobody watched.')]]);
    anthropic.script('who was that', [[say('You, at the desk.')]]);
    const session = await rig.begin('begin here');
    await ended(session);
    const { nativeId, agentPid } = rig.at(session);
    assert.ok(nativeId !== undefined);
    await chain.stopBridge();
    // As at a log-out: nobody of ours is left.
    process.kill(agentPid, 'SIGTERM');
    await untilTrue('it has gone', () => processStart(agentPid) === undefined);
    const user = rig.sitDownElsewhere('--resume', nativeId);
    await user.shows(ready);
    await user.enter('while closed');
    await user.shows('Nobody watched.');
    await user.enter('/exit');
    await user.exit();
    await chain.startBridge();
    const again = await rig.reopen(session);
    await untilShown(again, 'text: Nobody watched.');
    again.prompt('who was that');
    await untilShown(again, 'text: You, at the desk.');
    await ended(again, 3);
    assert.equal(shown(again).filter(line => line === 'text: Begun.').length, 1);
    assert.equal(anthropic.requests.at(-1)?.prompts.join(', '), 'begin here, while closed, who was that');
  });
});
