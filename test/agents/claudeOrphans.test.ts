import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { PhoneSession } from '../../phone/state/phoneSession.ts';
import { say, use } from '../fakes/anthropic/script.ts';
import { ClaudeChain } from './claudeChainRig.ts';
import { answer, ended, texts, untilPhone, untilShown } from './phoneScreen.ts';
import { keptFamily, untilGone, untilRuns, type ShownProcess } from './processFamily.ts';

const ready = /shortcuts|mode on/;

describe(`what the real Claude Code ${process.env.TERMINULL_CLAUDE_VERSION ?? ''} leaves behind [D3]`, () => {
  let rig: ClaudeChain;
  before(async () => {
    rig = await ClaudeChain.start();
  });
  after(() => rig.dispose());

  interface Busy {
    readonly session: PhoneSession;
    /** Keeper, agent, and what runs in its Bash tool. */
    readonly family: readonly ShownProcess[];
    /** In the command of what runs in the Bash tool, and nowhere else. */
    readonly mark: string;
  }

  async function familyOf(session: PhoneSession, mark: string): Promise<Busy> {
    await untilRuns(`tail -f ${mark}`);
    const family = keptFamily(rig.at(session).agentPid);
    const [keeper, agent] = family;
    assert.match(keeper?.args ?? '', /keeper.*spec\.json$/);
    assert.equal(agent?.pid, rig.at(session).agentPid);
    assert.ok(
      family.some(({ args }) => args.startsWith('tail') && args.includes(mark)),
      JSON.stringify(family),
    );
    return { session, family, mark };
  }

  /** Its Bash tool is running, as a managed agent's. */
  async function busyManaged(): Promise<Busy> {
    const mark = randomUUID();
    const command = `echo > ${mark}; tail -f ${mark}`;
    rig.anthropic.script(`follow ${mark}`, [[use('Bash', { command })], [say('It has ended.')]]);
    const session = await rig.begin(`follow ${mark}`);
    await answer(session, 'allow_once');
    return familyOf(session, mark);
  }

  /** Its Bash tool is running, in its own terminal. */
  async function busyAtDesk(): Promise<Busy> {
    const mark = randomUUID();
    const command = `echo > ${mark}; tail -f ${mark}`;
    rig.anthropic.script(`follow ${mark}`, [[use('Bash', { command })], [say('It has ended.')]]);
    const { session, desk } = await rig.beginAtDesk();
    await desk.shows(ready);
    await desk.enter(`follow ${mark}`);
    await desk.answer('1', 'Do you want to proceed?');
    return familyOf(session, mark);
  }

  function killKeeper({ family: [keeper] }: Busy): void {
    assert.ok(keeper);
    process.kill(keeper.pid, 'SIGKILL');
  }

  for (const [where, busy] of [
    ['with the phone', busyManaged],
    ['at the desk', busyAtDesk],
  ] as const) {
    it(`is nothing when a session ends ${where} while a command runs`, async () => {
      const { session, family, mark } = await busy();
      await session.end();
      await untilPhone('it ends', session.conversation, now => now.summary?.activity === 'ended');
      await untilGone(family, mark);
    });

    it(`is nothing when its keeper is killed ${where} while a command runs, and the phone goes on`, async () => {
      const found = await busy();
      const { session, family, mark } = found;
      killKeeper(found);
      await untilGone(family, mark);
      await untilShown(session, /^end (error|interrupted)$/);
      rig.anthropic.script('go on then', [[say('Gone on.')]]);
      session.prompt('go on then');
      await untilShown(session, 'text: Gone on.');
      assert.equal(texts(session).filter(text => text === 'Gone on.').length, 1);
    });
  }

  it('is nothing of what a command left running in the background, when the session ends', async () => {
    const mark = randomUUID();
    const command = `echo > ${mark}; tail -f ${mark} > /dev/null 2>&1 &`;
    rig.anthropic.script(`start ${mark}`, [[use('Bash', { command })], [say('It runs.')]]);
    const session = await rig.begin(`start ${mark}`);
    await answer(session, 'allow_once');
    await untilShown(session, 'text: It runs.');
    await untilRuns(`tail -f ${mark}`);
    await session.end();
    await untilPhone('it ends', session.conversation, now => now.summary?.activity === 'ended');
    await untilGone([], mark);
  });

  it('is nothing at the next start of an editor that was not there when the keeper was killed', async () => {
    const found = await busyManaged();
    await rig.chain.stopBridge();
    killKeeper(found);
    await rig.chain.startBridge();
    await untilGone(found.family, found.mark);
    assert.deepEqual(await ended(await rig.reopen(found.session)), ['interrupted']);
  });
});
