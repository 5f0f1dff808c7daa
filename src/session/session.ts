import type { Disposable } from '../../core/base/disposable.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import type { UserEchoBlock } from '../../core/protocol/block/textBlocks.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { BlockId, TurnId } from '../../core/protocol/ids.ts';
import type { SessionSummary } from '../../core/protocol/windowState.ts';
import type { TerminalProcess } from '../terminal/terminalProcess.ts';
import type { Actor } from './actor.ts';
import type { AgentSettings } from './agentSettings.ts';
import { AgentRunner } from './agentRunner.ts';
import type { FoundAgent } from './agentStarter.ts';
import type { Approvals } from './approval/approvals.ts';
import type { Journal } from './journal.ts';
import type { LifeState } from './lifeCycle.ts';
import { PromptDesk, type Delivery } from './promptDesk.ts';
import { waitingPrompts } from './promptQueue.ts';
import type { RestoredSession } from './restoreSession.ts';
import type { SessionPorts } from './sessionPorts.ts';
import { SessionReader } from './sessionReader.ts';
import { SessionRecord } from './sessionRecord.ts';
import { summarize } from './summarize.ts';

/** One conversation with one agent, and its only writer. */
export class Session extends SessionReader implements Disposable {
  readonly #prompts: PromptDesk;
  readonly #runner: AgentRunner;

  constructor(journal: Journal, restored: RestoredSession, ports: SessionPorts) {
    super(new SessionRecord(journal, restored, ports));
    this.#prompts = new PromptDesk(this.record);
    this.#runner = new AgentRunner(this.record, this.#prompts, ports);
  }

  get summary(): SessionSummary {
    const { life, dialogs } = this.#runner;
    return summarize(this.header, this.record.state, life, dialogs.needsDesk);
  }

  /** What the agent's process is doing (requirement C20). */
  get life(): LifeState {
    return this.#runner.life.state;
  }

  /** What its agent may do, and who is asked. */
  get approvals(): Approvals {
    return this.#runner.approvals;
  }

  /** Which model answers, and in which of its own modes the agent works. */
  get settings(): AgentSettings {
    return this.#runner.facts.settings;
  }

  /** The terminal that the agent runs in, while it has one of its own. */
  get terminal(): TerminalProcess | undefined {
    return this.#runner.terminal?.process;
  }

  /** Its agent runs under another version of this program: nothing is heard of it here, and only its end can be asked for. */
  get isOfOtherVersion(): boolean {
    return this.#runner.recovery.isOfOtherVersion && !this.#runner.isOver;
  }

  get canContinueInTerminal(): boolean {
    return this.#runner.moves.canContinueInTerminal;
  }

  /** Process id of the running agent; 0 when none runs. */
  get agentPid(): number {
    return this.#runner.agent?.pid ?? 0;
  }

  /**
   * Accepts a prompt: it is in the journal when this returns, and its state is told as it changes. The same
   * `clientMsgId` again changes nothing. What a stop held goes on after it.
   *
   * @param delivery `steer`: at the next turn boundary, before all that waits (requirement M39)
   */
  prompt(text: string, clientMsgId: string, actor: Actor, delivery?: Delivery): Result<void, ErrorCode> {
    return this.#change(() => this.#andGoOn(this.#prompts.take(text, clientMsgId, actor, delivery)));
  }

  /** Prompts that wait, in the order in which they go. */
  get waiting(): readonly UserEchoBlock[] {
    return waitingPrompts(this.record.state);
  }

  /** Puts other words in place of a prompt that waits; `stale_turn` once the agent has been given it. */
  editQueued(clientMsgId: string, text: string): Result<void, ErrorCode> {
    return this.#change(() => this.#prompts.edit(clientMsgId, text));
  }

  /** Takes back a prompt that waits, or puts away one that was not delivered, also after the end. */
  cancelQueued(clientMsgId: string): Result<void, ErrorCode> {
    return this.record.isOurs ? this.#prompts.cancel(clientMsgId) : fail('not_owner');
  }

  /** Lets a prompt go that waits or is held: before the others, which follow. */
  sendQueued(clientMsgId: string): Result<void, ErrorCode> {
    return this.#change(() => this.#andGoOn(this.#prompts.sendNow(clientMsgId)));
  }

  /** Answers one request. The first valid answer wins; any later one is stale. */
  answer(id: BlockId, optionId: string, digest: string, actor: Actor): Result<void, ErrorCode> {
    return this.approvals.answer(id, optionId, digest, actor);
  }

  /** Stops the turn that is named, and no other. What waits is held. */
  interrupt(turn: TurnId): Result<void, ErrorCode> {
    if (!this.record.isOurs) return fail('not_owner');
    if (this.record.state.turn === undefined) return fail('not_running');
    if (this.record.state.turn !== turn) return fail('stale_turn');
    const stopped = this.#runner.interrupt();
    // The agent has heard of it; a power failure must not let go what is held.
    if (stopped.ok) this.record.journal.flush();
    return stopped;
  }

  /**
   * Lets go of the conversation, so that it goes on in the agent's own terminal, and is read along here. Prompts wait
   * until that terminal's program has ended.
   *
   * @returns `busy` while a turn runs: it is let go at a turn's end only (requirement T115)
   */
  continueInTerminal(): Promise<Result<void, ErrorCode>> {
    return this.#runner.moves.continueInTerminal();
  }

  /** Tells what was said in a terminal that is not ours, and reads along there while somebody is. */
  followElsewhere(): void {
    this.#runner.moves.followElsewhere();
  }

  /** Looks whether somebody has the conversation in a terminal of their own, and lets them have it. */
  yieldToOwner(): void {
    this.#runner.moves.yieldToOwner();
  }

  /** Ends the conversation and its agent. What waits is told as not delivered. */
  end(): Result<void, ErrorCode> {
    if (!this.record.isOurs) return fail('not_owner');
    this.#runner.end();
    return ok(undefined);
  }

  /**
   * Goes on where the journal ends. With `agent`, it has been running all along; without, whatever it was doing has
   * ended: its turn reads `interrupted`, its calls `unknown`, and nothing is run again (architecture D5). With one of another
   * version, everything stays as it is: it may be gone on with there.
   */
  resume(agent: FoundAgent, lastLine: RestoredSession['lastLine']): void {
    this.#runner.resume(agent, lastLine);
  }

  /** Lets go of the agent, which its keeper keeps, and closes the journal. */
  dispose(): void {
    this.#runner.dispose();
    this.record.dispose();
  }

  /** @returns `not_owner` once another process writes this conversation, `stale_session` once it has ended */
  #change(change: () => Result<void, ErrorCode>): Result<void, ErrorCode> {
    if (!this.record.isOurs) return fail('not_owner');
    return this.#runner.isOver ? fail('stale_session') : change();
  }

  #andGoOn(taken: Result<void, ErrorCode>): Result<void, ErrorCode> {
    if (taken.ok) this.#runner.goOn();
    return taken;
  }
}
