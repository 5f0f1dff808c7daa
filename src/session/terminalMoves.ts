import { fail, ok, type Result } from '../../core/base/result.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { AgentStartFailure, RunningAgent } from '../adapters/agent.ts';
import { takenText } from './agentText.ts';
import type { Handoff } from './handoff.ts';
import type { LifeCycle } from './lifeCycle.ts';
import type { Elsewhere, SessionPorts } from './sessionPorts.ts';
import type { SessionRecord } from './sessionRecord.ts';
import type { TerminalAgent } from './terminalAgent.ts';

/** What moving a conversation takes of whoever runs its agent. */
export interface MovesParts {
  readonly record: SessionRecord;
  readonly handoff: Handoff;
  readonly life: LifeCycle;
  readonly agent: () => RunningAgent | undefined;
  readonly isOver: () => boolean;
  /** Its agent runs where nobody here can talk with it. */
  readonly isOfOtherVersion: () => boolean;
  /** Nothing is started by itself any more. */
  readonly cancelRespawn: () => void;
  readonly attach: (terminal: TerminalAgent) => void;
  readonly finish: () => void;
  readonly goOn: () => void;
}

type MovesPorts = Pick<SessionPorts, 'canContinueInTerminal' | 'startTerminal' | 'elsewhere'>;

/** Lets a conversation go to a terminal: one that we open for it, or one that somebody has opened. */
export class TerminalMoves {
  readonly #parts: MovesParts;
  readonly #ports: MovesPorts;
  #isLooking = false;
  #isCaughtUp = false;
  #isGoing = false;
  /** Its program works at what another session has. */
  #leftAlone: TerminalAgent | undefined;

  constructor(parts: MovesParts, ports: MovesPorts) {
    this.#parts = parts;
    this.#ports = ports;
  }

  get canContinueInTerminal(): boolean {
    const { isOver, handoff, isOfOtherVersion } = this.#parts;
    const isHere = !isOver() && !handoff.isAway && !isOfOtherVersion();
    return isHere && this.#ports.canContinueInTerminal();
  }

  /** @returns `busy` while a turn runs, `parked` when somebody has it in a terminal already */
  async continueInTerminal(): Promise<Result<void, ErrorCode>> {
    const { isOver, life, record, goOn } = this.#parts;
    if (!this.canContinueInTerminal) return fail(isOver() ? 'stale_session' : 'unsupported_operation');
    if (this.yieldToOwner()) return fail('parked');
    if (life.isBusy) return fail('busy');
    const moved = await this.#moveTo(() => this.#ports.startTerminal(record.state.agent?.native_id));
    if (!moved.ok && !life.isOver) goOn();
    return moved;
  }

  /**
   * Lets go of a conversation that somebody has opened in a terminal of their own, as soon as no turn runs, and reads along.
   *
   * @returns whether somebody has: then nothing more may be given to an agent of ours
   */
  yieldToOwner(): boolean {
    const { elsewhere } = this.#ports;
    if (this.#parts.handoff.terminal !== undefined) void this.#goAlong(this.#parts.handoff.terminal);
    if (this.#parts.isOver() || this.#parts.handoff.isAway || elsewhere?.isOwned() !== true) return false;
    const since = this.#parts.record.heardAt;
    // Should it fail, the next change there, or the next prompt, tries again.
    if (!this.#parts.life.isBusy) void this.#moveTo(() => elsewhere.follow(since));
    return true;
  }

  /** The program of its terminal may work at another conversation now: then the session goes with it. */
  async #goAlong(terminal: TerminalAgent): Promise<void> {
    const { handoff, isOver, record, life, attach } = this.#parts;
    if (this.#isGoing || this.#leftAlone === terminal) return;
    this.#isGoing = true;
    try {
      const next = await this.#ports.elsewhere?.nextOf(terminal);
      const isStill = (): boolean => !isOver() && handoff.terminal === terminal;
      if (next === undefined || !isStill()) return;
      if (next === 'taken') {
        this.#leftAlone = terminal;
        record.appendError('unsupported_operation', takenText, undefined);
        return;
      }
      terminal.letGo();
      await Promise.race([terminal.letGone, terminal.ended]);
      if (!isStill()) return;
      life.advance('exit');
      handoff.switchTo(next);
      attach(next);
      record.announceChange();
    } catch {
      // A full disk, say: the next change there tries again.
    } finally {
      this.#isGoing = false;
    }
  }

  /**
   * Somebody may have gone on with the conversation while nobody of ours was there: that is told before anything else is said.
   *
   * @returns whether that is being looked at; `goOn` follows then
   */
  catchUp(): boolean {
    const { elsewhere } = this.#ports;
    if (elsewhere === undefined || this.#isCaughtUp || this.#parts.agent() !== undefined) return false;
    if (!this.#isLooking) void this.#look(elsewhere);
    return true;
  }

  /** An agent of ours is gone. It may have been for long: it was seen only now. */
  agentEnded(): void {
    this.#isCaughtUp = false;
  }

  async #look(elsewhere: Elsewhere): Promise<void> {
    const { record, handoff, isOver, agent, goOn } = this.#parts;
    const since = record.heardAt;
    this.#isLooking = true;
    const hasNews = await elsewhere.hasNews(since);
    this.#isLooking = false;
    this.#isCaughtUp = true;
    if (isOver()) return;
    const moved =
      hasNews && !handoff.isAway && agent() === undefined
        ? await this.#moveTo(() => elsewhere.follow(since))
        : undefined;
    // What has moved goes on when it comes back.
    if (moved?.ok !== true && !isOver()) goOn();
  }

  /** Tells all that was said elsewhere, and reads along while somebody is there. */
  followElsewhere(): void {
    const { elsewhere } = this.#ports;
    if (elsewhere !== undefined) void this.#moveTo(() => elsewhere.follow(0));
  }

  async #moveTo(
    open: () => Promise<Result<TerminalAgent, AgentStartFailure>>,
  ): Promise<Result<void, ErrorCode>> {
    const { handoff, agent, isOver, life, record, cancelRespawn, attach, finish } = this.#parts;
    cancelRespawn();
    const released = await handoff.release(open, agent(), isOver);
    if (!released.ok) {
      if (life.isOver) finish();
      return released;
    }
    attach(released.value);
    record.announceChange();
    return ok(undefined);
  }
}
