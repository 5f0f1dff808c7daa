import assert from 'node:assert/strict';
import { AsyncQueue } from '../../core/base/asyncQueue.ts';
import type { PhoneSession } from '../../phone/state/phoneSession.ts';
import { dictate, say } from '../fakes/anthropic/script.ts';
import { ClaudeChain } from './claudeChainRig.ts';
import { ended, shown, texts, untilPhone, untilShown } from './phoneScreen.ts';

const ready = /shortcuts|mode on/;
/** Parts of one answer, each told over several pieces. */
const [first, second, third] = [
  'Part one begins here, and goes on for some words. ',
  'Part two is said while nobody from the editor listens. ',
  'Part three ends it.',
] as const;
const whole = `${first}${second}${third}`;

describe(`what the real Claude Code ${process.env.TERMINULL_CLAUDE_VERSION ?? ''} says while something restarts`, () => {
  let rig: ClaudeChain;
  before(async () => {
    rig = await ClaudeChain.start();
  });
  after(() => rig.dispose());

  /** The next answer to a prompt comes in the parts that are pushed. */
  function dictateTo(prompt: string): AsyncQueue<string> {
    const parts = new AsyncQueue<string>(8);
    rig.anthropic.script(prompt, [[dictate(parts)]]);
    return parts;
  }

  /** The phone shows exactly what the machine wrote, block by block, without a gap. */
  async function isWhole(session: PhoneSession): Promise<void> {
    await untilPhone('the present', session.isCurrent, current => current);
    const history = [...rig.at(session).history(0)];
    assert.deepEqual(
      history.map(({ seq }) => seq),
      history.map((_, index) => index + 1),
    );
    await untilPhone('all of it', session.conversation, ({ seq }) => seq === history.at(-1)?.seq);
    const finalForms = new Map(history.map(({ block }) => [block.id, block]));
    for (const [id, entry] of session.conversation.value.entries) assert.deepEqual(entry, finalForms.get(id));
    assert.equal(session.conversation.value.broken, false);
  }

  it('comes once and whole over a restart of the editor in the middle of an answer, from the same process [D1] [T28]', async () => {
    const parts = dictateTo('tell me slowly');
    const session = await rig.begin('tell me slowly');
    parts.push(first);
    await untilShown(session, `text: ${first.trim()}`);
    const pid = rig.at(session).agentPid;
    await rig.chain.stopBridge();
    parts.push(second);
    await rig.chain.startBridge();
    const again = await rig.reopen(session);
    parts.push(third);
    parts.close();
    assert.deepEqual(await ended(again), ['completed']);
    assert.deepEqual(shown(again), ['prompt delivered: tell me slowly', `text: ${whole}`, 'end completed']);
    assert.equal(rig.at(session).agentPid, pid, 'the same process');
    assert.equal(rig.anthropic.count('tell me slowly'), 1, 'nothing is asked again');
    await isWhole(again);
  });

  it('comes once and whole when the editor restarts while a turn runs at the desk, and between turns [D1] [D2]', async () => {
    rig.anthropic.script('begin with the phone', [[say('Begun.')]]);
    rig.anthropic.script('said to nobody', [[say('Heard later.')]]);
    const parts = dictateTo('tell the desk slowly');
    const session = await rig.begin('begin with the phone');
    await ended(session);
    const desk = await rig.moveToDesk(session);
    await desk.shows(ready);
    const pid = rig.at(session).agentPid;
    await desk.enter('tell the desk slowly');
    parts.push(first);
    await untilShown(session, 'prompt delivered: tell the desk slowly');
    await rig.chain.stopBridge();
    parts.push(second);
    await rig.chain.startBridge();
    const again = await rig.reopen(session);
    await untilPhone('the phone knows', again.conversation, now => now.summary?.owner === 'terminal');
    assert.equal(rig.at(session).agentPid, pid, 'the same process');
    parts.push(third);
    parts.close();
    await ended(again, 2);

    await rig.chain.stopBridge();
    await desk.enter('said to nobody');
    await desk.shows('Heard later.');
    await rig.chain.startBridge();
    const last = await rig.reopen(session);
    await ended(last, 3);
    assert.equal(rig.at(session).agentPid, pid, 'the same process');
    assert.deepEqual(shown(last), [
      'prompt delivered: begin with the phone',
      'text: Begun.',
      'end completed',
      'mirroring',
      'prompt delivered: tell the desk slowly',
      `text: ${whole}`,
      'end completed',
      'prompt delivered: said to nobody',
      'text: Heard later.',
      'end completed',
    ]);
    await isWhole(last);
  });

  it('has no gap and no double when the relay ends and starts again in the middle of an answer [F45] [D1]', async () => {
    const parts = dictateTo('tell me over a relay');
    const session = await rig.begin('tell me over a relay');
    const seen: number[] = [];
    const stop = session.conversation.subscribe(({ seq }) => seen.push(seq));
    parts.push(first);
    await untilShown(session, `text: ${first.trim()}`);
    await rig.chain.restartRelay();
    parts.push(second);
    await untilShown(session, `text: ${first}${second.trim()}`);
    await rig.chain.restartRelay();
    parts.push(third);
    parts.close();
    assert.deepEqual(await ended(session), ['completed']);
    await isWhole(session);
    stop();
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
      'the phone never had to start over',
    );
    assert.deepEqual(texts(session), [whole]);
    assert.equal(rig.anthropic.count('tell me over a relay'), 1, 'nothing is asked again');
  });
});
