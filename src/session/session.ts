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
import { openPrompts } from './openPrompts.ts';
import { followAgent } from './followAgent.ts';
import { Handoff } from './handoff.ts';
import { PromptQueue, type QueuedPrompt } from './promptQueue.ts';
import { answerAgain, takeProposal } from './proposals.ts';
import { recordDeskPrompt, recordEvent } from './recordEvent.ts';
import { SessionRecord } from './sessionRecord.ts';
import type { SessionPorts } from './sessionPorts.ts';
import { ReplayGuard } from './replayGuard.ts';
import type { RestoredSession } from './restoreSession.ts';
import { crashText, startFailureText } from './agentText.ts';
import { SessionReader } from './sessionReader.ts';
import { summarize } from './summarize.ts';
import { TerminalAgent } from './terminalAgent.ts';
import type { TerminalProcess } from '../terminal/terminalProcess.ts';

const queuedPrompts = 32;

/** One conversation with one agent, and its only writer. */
export class Session extends SessionReader implements Disposable {
  readonly #ports: SessionPorts;
  readonly #queue = new PromptQueue(queuedPrompts);
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
   * `clientMsgId` again changes nothing.
   */
  prompt(text: string, clientMsgId: string, actor: Actor): Result<void, ErrorCode> {
    if (this.record.state.ended) return fail('stale_session');
    const known = this.record.state.prompts.get(clientMsgId);
    if (known !== undefined) return known.text === text ? ok(undefined) : fail('request_conflict');
    if (this.#queue.isFull) return fail('busy');
    const prompt: QueuedPrompt = { text, clientMsgId, deviceId: actor.deviceId };
    this.record.appendPrompt(prompt, 'queued');
    this.#queue.add(prompt);
    void this.#next();
    return ok(undefined);
  }

  /** Answers one request. The first valid answer wins; any later one is stale. */
  answer(id: BlockId, optionId: string, digest: string, actor: Actor): Result<void, ErrorCode> {
    if (this.#agent === undefined) return fail('stale_approval');
    const resolved = this.record.resolve(id, optionId, digest, actor);
    if (!resolved.ok) return resolved;
    this.#agent.respondPermission(id, optionId);
    return ok(undefined);
  }

  /** Stops the running turn. Requests are withdrawn at once, so that nothing is approved on the way out. */
  interrupt(turn: TurnId): Result<void, ErrorCode> {
    if (this.record.state.turn === undefined || this.#agent === undefined) return fail('not_running');
    if (this.record.state.turn !== turn) return fail('stale_turn');
    if (this.#handoff.isAway) return fail('parked');
    this.record.appendAll(withdrawRequests(this.record.state, 'interrupt', this.record.now));
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
    this.#rejectQueue();
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
    const { turn, offered, waiting } = openPrompts(this.record.state);
    this.#turn = turn;
    this.#busy = turn !== undefined;
    this.#offered.restore(offered, () => {
      this.#offered.reject();
      this.#finishTurn('error', 'unknown');
      void this.#next();
    });
    for (const prompt of waiting) this.#queue.add(prompt);
    if (agent instanceof TerminalAgent) this.#handoff.adopt(agent);
    else this.#handoff.settle();
    if (agent !== undefined) {
      this.#follow(agent, lastLine);
    } else {
      this.#offered.reject();
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
    const prompt = this.#queue.take();
    if (prompt === undefined) return;
    this.#busy = true;
    const agent = this.#agent ?? (await this.#start());
    if (agent === undefined || this.#isOver()) {
      this.#busy = false;
      this.record.appendPrompt(prompt, 'not_delivered');
      this.#rejectQueue();
      return;
    }
    const turn = turnId.parse(`turn_${this.#ports.uniqueId()}`);
    this.#turn = turn;
    this.#offered.offer(prompt, turn);
    agent.send(turn, prompt.text);
  }

  async #start(): Promise<RunningAgent | undefined> {
    const started = await this.#ports.startAgent();
    if (!started.ok) {
      this.record.appendError(started.code, startFailureText(started.code), undefined);
      return undefined;
    }
    if (this.#isOver()) {
      started.value.stop();
      return undefined;
    }
    this.#follow(started.value, undefined);
    return started.value;
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
        this.#offered.accept(this.#turn);
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
    this.#offered.reject();
    this.#finishTurn(this.#stopping ? 'stopped' : 'error', 'unknown');
    this.#rejectQueue();
    if (this.#stopping) this.record.appendEnd();
    this.record.announceChange();
  }

  #rejectQueue(): void {
    for (const prompt of this.#queue.drain()) this.record.appendPrompt(prompt, 'not_delivered');
  }
}
