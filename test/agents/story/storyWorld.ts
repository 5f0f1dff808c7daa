import { existsSync } from 'node:fs';
import { systemClock } from '../../../platform/node/systemClock.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { TerminalSteer } from '../../../phone/state/terminalSteer.ts';
import { TerminalWatch } from '../../../phone/state/terminalWatch.ts';
import type { Draw } from '../../fakes/draw.ts';
import { keys, type AgentTerminal } from '../agentTerminal.ts';
import type { ClaudeChain } from '../claudeChainRig.ts';
import { asked, ended, untilPhone, untilShown } from '../phoneScreen.ts';
import { Delays } from './delays.ts';
import { endlessText } from './storyLine.ts';
import { fileOf, scriptOf, type Plan, type PlanKind } from './storyPlan.ts';

export const ready = /shortcuts|mode on/;
/** What Claude Code asks before an action. */
export const proceed = 'Do you want to ';

/** What Claude Code waits for: a prompt, an answer, or the end of an answer that has none. */
export type Mood = 'idle' | 'dialog' | 'question' | 'endless';

/** One conversation with its desk and its phone, and what everybody did in it. */
export class StoryWorld {
  readonly rig: ClaudeChain;
  readonly draw: Draw;
  readonly delays = new Delays();
  /** In the order in which their turns began. */
  readonly plans: Plan[] = [];
  /** They wait, in the order in which they are to go. */
  readonly queued: Plan[] = [];
  /** Undefined while the conversation is with the phone. */
  desk: AgentTerminal | undefined;
  mood: Mood = 'idle';
  /** A person has stopped the agent from the phone: what waits is held. */
  #isHeld = false;
  #session: PhoneSession;
  #drawn = 0;
  #stopNoting: () => void;

  private constructor(rig: ClaudeChain, draw: Draw, session: PhoneSession) {
    this.rig = rig;
    this.draw = draw;
    this.#session = session;
    this.#stopNoting = this.delays.note(session);
  }

  static async start(rig: ClaudeChain, draw: Draw): Promise<StoryWorld> {
    const { session, desk } = await rig.beginAtDesk();
    const world = new StoryWorld(rig, draw, session);
    world.desk = desk;
    await desk.shows(ready);
    return world;
  }

  get session(): PhoneSession {
    return this.#session;
  }

  get folder(): string {
    return this.rig.chain.workspace;
  }

  /** The plan whose turn runs. */
  get present(): Plan {
    const plan = this.plans.at(-1);
    if (plan === undefined) throw new Error('nothing was ever asked');
    return plan;
  }

  /** A new prompt, and what the model will do with it. */
  plan(kind: PlanKind, words: (mark: string) => string): Plan {
    this.#drawn += 1;
    const mark = `p${String(this.#drawn).padStart(4, '0')}`;
    const plan: Plan = { mark, kind, text: words(mark) };
    this.rig.anthropic.script(mark, scriptOf(plan, this.folder));
    return plan;
  }

  /** It has to wait. What is said after a stop is meant first. */
  wait(plan: Plan): void {
    plan.rank = this.#isHeld ? 0 : 2;
    this.#isHeld = false;
    this.queued.push(plan);
    this.queued.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  }

  /** Somebody has stopped the agent from the phone. */
  hold(): void {
    this.#isHeld = this.queued.length > 0;
    for (const plan of this.queued) plan.rank = Math.max(plan.rank ?? 0, 1);
  }

  /** A prompt was given: waits for what Claude Code wants next. */
  async begun(plan: Plan): Promise<void> {
    this.plans.push(plan);
    const { desk, session } = this;
    switch (plan.kind) {
      case 'say':
        return this.over('completed');
      case 'run':
      case 'write':
        await asked(session);
        await desk?.shows(proceed);
        this.mood = 'dialog';
        return;
      case 'ask':
        await untilPhone('the question', session.questions, questions => questions[0]);
        await desk?.shows(`Which one, ${plan.mark}?`);
        this.mood = 'question';
        return;
      case 'endless':
        if (desk === undefined) await untilShown(session, new RegExp(`^text: ${endlessText} ${plan.mark}`));
        else await desk.shows(`${endlessText} ${plan.mark}`);
        this.mood = 'endless';
    }
  }

  /** Waits for the end of the turn that runs. */
  async over(end: NonNullable<Plan['end']>, ran?: boolean): Promise<void> {
    const { present } = this;
    present.end = end;
    if (ran !== undefined) present.ran = ran;
    const ends = await ended(this.session, this.plans.length);
    if (ends[this.plans.length - 1] !== end)
      throw new Error(`${present.mark} ended ${String(ends.at(-1))}, not ${end}`);
    this.mood = 'idle';
  }

  /** Waits until nothing is left to be done: also what waited for the phone's turn, once the desk is left. */
  async rest(): Promise<void> {
    if (this.mood !== 'idle') return;
    const { session } = this;
    const [first] = this.queued;
    if (this.desk === undefined && first !== undefined) {
      await this.#sendHeld(first);
      this.#isHeld = false;
      for (const plan of this.queued.splice(0)) {
        this.plans.push(plan);
        await this.over('completed');
      }
    }
    await untilPhone('nothing waits', session.pending, pending => pending.length === 0);
    await untilPhone('no question', session.questions, questions => questions.length === 0);
    await untilPhone('it rests', session.conversation, now => now.summary?.activity === 'idle');
  }

  /** Stops what runs, and says a last prompt, so that everything before it is told to everybody. */
  async settle(): Promise<void> {
    if (this.mood !== 'idle') await this.#stop();
    await this.rest();
    const last = this.plan('say', mark => `${mark} that was all`);
    // The older version keeps its last words to itself for seconds when it runs without a terminal.
    this.desk ??= await this.rig.moveToDesk(this.session);
    await this.desk.shows(ready);
    await this.desk.enter(last.text);
    await this.begun(last);
    await this.rest();
  }

  async #stop(): Promise<void> {
    const { session, desk, mood, present } = this;
    if (desk === undefined) {
      await untilPhone('the present', session.isCurrent, current => current);
      const turn = session.conversation.value.summary?.turn_id;
      if (turn !== undefined) await session.interrupt(turn);
    } else if (mood === 'endless') desk.press(keys.escape);
    else await desk.answer(keys.escape, mood === 'dialog' ? proceed : '2. Blue');
    await this.over('interrupted', present.kind === 'endless' ? undefined : false);
    await this.rest();
  }

  /** What waits is held after somebody has stopped the agent: then it is told to go. */
  async #sendHeld({ text }: Plan): Promise<void> {
    const { session } = this;
    const echo = await untilPhone('it goes or is held', session.conversation, ({ entries }) =>
      [...entries.values()].find(
        entry => entry.type === 'user_echo' && entry.text === text && /delivered|held/.test(entry.state),
      ),
    );
    if (echo.type === 'user_echo' && echo.state === 'held') await session.sendQueued(echo.client_msg_id);
  }

  hasRun({ mark }: Plan): boolean {
    return existsSync(fileOf(mark, this.folder));
  }

  /** The phone follows the conversation in another window. */
  follow(session: PhoneSession): void {
    this.#stopNoting();
    this.#session = session;
    this.#stopNoting = this.delays.note(session);
  }

  /** The phone looks at the terminal, and may type into it. */
  async look<T>(act: (watch: TerminalWatch, steer: TerminalSteer) => Promise<T>): Promise<T> {
    const { screenPorts } = this.session;
    const watch = new TerminalWatch({ ...screenPorts, clock: systemClock });
    try {
      await untilPhone('a screen', watch.screen, screen => screen);
      return await act(watch, new TerminalSteer(screenPorts.request, () => watch.screen.value?.id));
    } finally {
      watch.dispose();
    }
  }

  dispose(): void {
    this.#stopNoting();
  }
}
