import type { Disposable } from '../../core/base/disposable.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { unreachable } from '../../core/base/unreachable.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { turnId, type BlockId, type TurnId } from '../../core/protocol/ids.ts';
import type { SessionSummary } from '../../core/protocol/windowState.ts';
import type { AgentEvent, RunningAgent } from '../adapters/agent.ts';
import type { Actor } from './actor.ts';
import { withdrawRequests, type TurnEnd } from './closeTurn.ts';
import type { Journal } from './journal.ts';
import { OfferedPrompt } from './offeredPrompt.ts';
import { followAgent } from './followAgent.ts';
import { Handoff } from './handoff.ts';
import { PromptDesk, type Delivery } from './promptDesk.ts';
import { nextPrompt } from './promptQueue.ts';
import { answerAgain, takeProposal } from './proposals.ts';
import { recordDeskPrompt, recordEvent } from './recordEvent.ts';
import { SessionRecord } from './sessionRecord.ts';
import type { SessionPorts } from './sessionPorts.ts';
import { ReplayGuard } from './replayGuard.ts';
import type { RestoredSession } from './restoreSession.ts';
import { crashText } from './agentText.ts';
import { SessionReader } from './sessionReader.ts';
import { startAgent } from './startAgent.ts';
import { summarize } from './summarize.ts';
import { TerminalAgent } from './terminalAgent.ts';
import type { TerminalProcess } from '../terminal/terminalProcess.ts';

/** One conversation with one agent, and its only writer. */
export class Session extends SessionReader implements Disposable {
  readonly #ports: SessionPorts;
  readonly #prompts: PromptDesk;
  #agent: RunningAgent | undefined;
  readonly #offered: OfferedPrompt;
  /** The turn that the agent runs. */
  #turn: TurnId | undefined;
  #busy = false;
  #guard: ReplayGuard | undefined;
  #stopping = false;
  readonly #handoff: Handoff;
  #disposed = false;

  constructor(journal: Journal, restored: RestoredSession, ports: SessionPorts) {
    super(new SessionRecord(journal, restored, ports));
    this.#ports = ports;
    this.#prompts = new PromptDesk(this.record);
    this.#offered = new OfferedPrompt(this.record, ports.clock);
    this.#handoff = new Handoff(this.record, () => ports.startTerminal(this.nativeId));
  }

  get summary(): SessionSummary {
    return summarize(this.header, this.record.state, { busy: this.#busy, ended: this.record.state.ended });
  }

  /** The terminal that the agent runs in, while it has one of its own. */
  get terminal(): TerminalProcess | undefined {
    return this.#handoff.terminal?.process;
  }

  get canContinueInTerminal(): boolean {
    return !this.#isOver() && !this.#handoff.isAway && this.#ports.canContinueInTerminal();
  }

  /** Process id of the running agent; 0 when none runs. */
  get agentPid(): number {
    return this.#agent?.pid ?? 0;
  }

  /**
   * Accepts a prompt: it is in the journal when this returns, and its state is told as it changes. The same
   * `clientMsgId` again changes nothing. What a stop held goes on after it.
   *
   * @param delivery `steer`: at the next turn boundary, before all that waits (requirement M39)
   */
  prompt(text: string, clientMsgId: string, actor: Actor, delivery?: Delivery): Result<void, ErrorCode> {
    if (this.#isOver()) return fail('stale_session');
    return this.#andGoOn(this.#prompts.take(text, clientMsgId, actor, delivery));
  }

  /** Puts other words in place of a prompt that waits; `stale_turn` once the agent has been given it. */
  editQueued(clientMsgId: string, text: string): Result<void, ErrorCode> {
    return this.#isOver() ? fail('stale_session') : this.#prompts.edit(clientMsgId, text);
  }

  /** Takes back a prompt that waits, or puts away one that was not delivered, also after the end. */
  cancelQueued(clientMsgId: string): Result<void, ErrorCode> {
    return this.#prompts.cancel(clientMsgId);
  }

  /** Lets a prompt go that waits or is held: before the others, which follow. */
  sendQueued(clientMsgId: string): Result<void, ErrorCode> {
    return this.#isOver() ? fail('stale_session') : this.#andGoOn(this.#prompts.sendNow(clientMsgId));
  }

  /** Answers one request. The first valid answer wins; any later one is stale. */
  answer(id: BlockId, optionId: string, digest: string, actor: Actor): Result<void, ErrorCode> {
    if (this.#agent === undefined) return fail('stale_approval');
    const resolved = this.record.resolve(id, optionId, digest, actor);
    if (!resolved.ok) return resolved;
    this.#agent.respondPermission(id, optionId);
    return ok(undefined);
  }

  /**
   * Stops the running turn. Requests are withdrawn at once, so that nothing is approved on the way out, and what waits is
   * held: a prompt that was meant for after the turn would set the agent going again (field case F58).
   */
  interrupt(turn: TurnId): Result<void, ErrorCode> {
    if (this.record.state.turn === undefined || this.#agent === undefined) return fail('not_running');
    if (this.record.state.turn !== turn) return fail('stale_turn');
    if (this.#handoff.isAway) return fail('parked');
    this.record.appendAll(withdrawRequests(this.record.state, 'interrupt', this.record.now));
    this.#prompts.hold();
    this.#agent.interrupt();
    return ok(undefined);
  }

  /**
   * Lets go of the conversation, so that it goes on in the agent's own terminal, and is read along here. Prompts wait
   * until that terminal's program has ended.
   *
   * @returns `busy` while a turn runs: it is let go at a turn's end only (requirement T115)
   */
  async continueInTerminal(): Promise<Result<void, ErrorCode>> {
    if (!this.canContinueInTerminal) return fail(this.#isOver() ? 'stale_session' : 'unsupported_operation');
    if (this.#busy || this.record.state.turn !== undefined) return fail('busy');
    const released = await this.#handoff.release(this.#agent, () => this.#isOver());
    if (released.ok) {
      this.#follow(released.value, released.value.began);
      this.record.announceChange();
      return ok(undefined);
    }
    if (this.#stopping) this.record.appendEnd();
    void this.#next();
    return released;
  }

  /** Ends the conversation and its agent. What waits is told as not delivered. */
  end(): Result<void, ErrorCode> {
    if (this.record.state.ended || this.#stopping) return ok(undefined);
    this.#prompts.rejectAll();
    this.#stopping = true;
    if (this.#agent) this.#agent.stop();
    else if (!this.#handoff.isReleasing) this.record.appendEnd();
    return ok(undefined);
  }

  /**
   * Goes on where the journal ends. With `agent`, it has been running all along; without, whatever it was doing has
   * ended: its turn reads `interrupted`, its calls `unknown`, and nothing is run again (architecture D5).
   */
  resume(agent: RunningAgent | TerminalAgent | undefined, lastLine: RestoredSession['lastLine']): void {
    this.#turn = this.record.state.turn;
    this.#busy = this.#turn !== undefined;
    this.#offered.awaitAcceptance(() => {
      this.#finishTurn('error', 'unknown');
      void this.#next();
    });
    if (agent instanceof TerminalAgent) this.#handoff.adopt(agent);
    else this.#handoff.settle();
    if (agent !== undefined) {
      this.#follow(agent, lastLine);
    } else {
      this.#finishTurn('interrupted', 'unknown');
      void this.#next();
    }
  }

  /** Lets go of the agent, which its keeper keeps, and closes the journal. */
  dispose(): void {
    this.#disposed = true;
    this.#offered.dispose();
    this.#agent?.dispose();
    this.record.dispose();
  }

  async #next(): Promise<void> {
    // What the agent said before a restart is dealt with first, or its end would be taken for the next turn's.
    if (this.#busy || this.#isOver() || this.#handoff.isAway || this.#guard?.isRereading === true) return;
    if (nextPrompt(this.record.state) === undefined) return;
    this.#busy = true;
    if (this.#agent === undefined) {
      const started = await startAgent(this.record, this.#ports, () => this.#isOver());
      if (started !== undefined) this.#follow(started, undefined);
      // Kept: the next prompt, or whoever says to go on, tries again.
      else if (!this.#isOver()) this.#prompts.hold();
    }
    const agent = this.#agent;
    this.#busy = false;
    if (agent === undefined || this.#isOver()) return;
    const turn = turnId.parse(`turn_${this.#ports.uniqueId()}`);
    // While it started, what waits may have been changed or taken back.
    const text = this.#offered.offer(turn);
    if (text === undefined) return;
    this.#busy = true;
    this.#turn = turn;
    agent.send(turn, text);
  }

  #andGoOn(taken: Result<void, ErrorCode>): Result<void, ErrorCode> {
    if (taken.ok) void this.#next();
    return taken;
  }

  #isOver(): boolean {
    return this.record.state.ended || this.#stopping || this.#disposed;
  }

  #follow(agent: RunningAgent, lastLine: RestoredSession['lastLine']): void {
    this.#agent = agent;
    const guard = (this.#guard = new ReplayGuard(agent, lastLine));
    if (lastLine === undefined) guard.endReread();
    const isOver = (): boolean => this.#disposed || this.#agent !== agent;
    void followAgent(agent, guard, this.record, isOver, {
      event: event => this.#onAgentEvent(event),
      answerAgain: action => answerAgain(this.record, action, this.#agent),
      // Who sits at its terminal goes on with it; only what it does cannot be told any more.
      failing: () => agent instanceof TerminalAgent || agent.stop(),
      failed: () => this.#onFailure(agent),
    });
    void agent.caughtUp.then(() => {
      guard.endReread();
      void this.#next();
    });
  }

  #onAgentEvent(event: AgentEvent): void {
    switch (event.type) {
      case 'prompt_accepted':
        this.#offered.accept();
        return;
      case 'desk_prompt':
        this.#turn = recordDeskPrompt(this.record, event, this.#turn);
        this.#busy = this.#turn !== undefined;
        return;
      case 'proposal':
        takeProposal(this.record, event.action, {
          agent: this.#agent,
          turn: this.#turn,
          isRereading: this.#guard?.isRereading === true,
        });
        return;
      case 'checkpoint':
        this.#agent?.acknowledge(event.offset);
        return;
      case 'turn_end':
        this.#finishTurn(event.reason, 'interrupted');
        void this.#next();
        return;
      case 'exit':
        this.#onExit(event);
        return;
      case 'line':
      case 'block':
      case 'proposal_withdrawn':
      case 'native_id':
        recordEvent(this.record, event, this.#turn);
        return;
    }
    return unreachable(event);
  }

  #onFailure(agent: RunningAgent): void {
    const detail = 'it said something that could not be dealt with';
    if (agent instanceof TerminalAgent) void agent.ended.then(() => this.#onExit({ expected: true, detail }));
    else this.#onExit({ expected: false, detail });
  }

  #finishTurn(reason: TurnEnd['reason'], outcome: TurnEnd['outcome']): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    // Its record shows nothing of a prompt that it was given: whether it read it, nobody can say.
    this.#offered.reject();
    this.record.appendTurnEnd({ turn, reason, outcome });
    this.#turn = undefined;
    this.#busy = false;
    this.record.announceChange();
  }

  #onExit(exit: { readonly expected: boolean; readonly detail: string }): void {
    this.#agent?.dispose();
    this.#agent = undefined;
    if (this.#handoff.isReleasing) {
      this.#handoff.agentEnded();
      return;
    }
    if (this.#handoff.terminal !== undefined && !this.#stopping) {
      this.#finishTurn('interrupted', 'interrupted');
      this.#handoff.comeBack();
      this.record.announceChange();
      void this.#next();
      return;
    }
    if (!exit.expected) this.record.appendError('agent_crashed', crashText(exit.detail), this.#turn);
    this.#finishTurn(this.#stopping ? 'stopped' : 'error', 'unknown');
    if (this.#stopping) this.record.appendEnd();
    this.record.announceChange();
    void this.#next();
  }
}
