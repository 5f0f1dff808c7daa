import type { Disposable } from '../../core/base/disposable.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { unreachable } from '../../core/base/unreachable.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { turnId, type BlockId, type TurnId } from '../../core/protocol/ids.ts';
import type { SessionSummary } from '../../core/protocol/message.ts';
import type { AgentEvent, AgentStartFailure, ProposedAction, RunningAgent } from '../adapters/agent.ts';
import type { Actor } from './actor.ts';
import { withdrawRequests, type TurnEnd } from './closeTurn.ts';
import type { Journal } from './journal.ts';
import { OfferedPrompt } from './offeredPrompt.ts';
import { openPrompts } from './openPrompts.ts';
import { followAgent } from './followAgent.ts';
import { PromptQueue, type QueuedPrompt } from './promptQueue.ts';
import { SessionRecord, type SessionRecordPorts } from './sessionRecord.ts';
import { ReplayGuard } from './replayGuard.ts';
import type { RestoredSession } from './restoreSession.ts';
import { refusedProposalText, startFailureText } from './agentText.ts';
import { SessionReader } from './sessionReader.ts';
import { summarize } from './summarize.ts';

const queuedPrompts = 32;

export interface SessionPorts extends SessionRecordPorts {
  readonly startAgent: () => Promise<Result<RunningAgent, AgentStartFailure>>;
}

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
  #disposed = false;

  constructor(journal: Journal, restored: RestoredSession, ports: SessionPorts) {
    super(new SessionRecord(journal, restored, ports));
    this.#ports = ports;
    this.#offered = new OfferedPrompt(this.record, ports.clock);
  }

  get summary(): SessionSummary {
    return summarize(this.header, this.record.state, { busy: this.#busy, ended: this.#isEnded });
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
    if (this.#isEnded) return fail('stale_session');
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
    this.record.appendAll(withdrawRequests(this.record.state, 'interrupt', this.record.now));
    this.#agent.interrupt();
    return ok(undefined);
  }

  /** Ends the conversation and its agent. What waits is told as not delivered. */
  end(): Result<void, ErrorCode> {
    if (this.#isEnded || this.#stopping) return ok(undefined);
    this.#rejectQueue();
    this.#stopping = true;
    if (this.#agent) this.#agent.stop();
    else this.record.appendEnd();
    return ok(undefined);
  }

  /**
   * Goes on where the journal ends. With `agent`, it has been running all along; without, whatever it was doing has
   * ended: its turn reads `interrupted`, its calls `unknown`, and nothing is run again (architecture D5).
   */
  resume(agent: RunningAgent | undefined, lastLine: RestoredSession['lastLine']): void {
    const { turn, offered, waiting } = openPrompts(this.record.state);
    this.#turn = turn;
    this.#busy = turn !== undefined;
    this.#offered.restore(offered, () => this.#onNeverAccepted());
    for (const prompt of waiting) this.#queue.add(prompt);
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
    if (this.#busy || this.#isOver() || this.#guard?.isRereading === true) return;
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
    return this.#isEnded || this.#stopping || this.#disposed;
  }

  get #isEnded(): boolean {
    return this.record.state.ended;
  }

  #follow(agent: RunningAgent, lastLine: RestoredSession['lastLine']): void {
    const guard = new ReplayGuard(agent, lastLine);
    this.#agent = agent;
    this.#guard = guard;
    if (lastLine === undefined) guard.endReread();
    const listener = {
      event: (event: AgentEvent) => this.#onAgentEvent(event),
      answerAgain: (action: ProposedAction) => this.#answerAgain(action),
      failed: () => this.#onFailure(agent),
    };
    void followAgent(agent, guard, this.record, listener, () => this.#disposed || this.#agent !== agent);
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
        this.#onDeskPrompt(event.id, event.text);
        return;
      case 'block':
        this.record.appendAgentBlock(event.block, this.#turn);
        return;
      case 'proposal':
        this.#onProposal(event.action);
        return;
      case 'proposal_withdrawn':
        this.record.appendWithdrawal(event.id);
        return;
      case 'native_id':
        this.record.appendNativeId(event.id);
        return;
      case 'checkpoint':
        this.#agent?.acknowledge(event.offset);
        return;
      case 'line':
        return;
      case 'turn_end':
        this.#finishTurn(event.reason, 'interrupted');
        void this.#next();
        return;
      case 'exit':
        this.#onExit(event);
        return;
    }
    return unreachable(event);
  }

  /** One that comes while a turn runs belongs to it. */
  #onDeskPrompt(id: string, text: string): void {
    const clientMsgId = `desk_${id}`;
    if (this.record.state.prompts.has(clientMsgId)) return;
    this.#turn ??= turnId.parse(`turn_${id}`);
    this.#busy = true;
    this.record.appendPrompt({ text, clientMsgId, deviceId: undefined }, 'delivered', this.#turn);
  }

  #onProposal(action: ProposedAction): void {
    const outcome = this.#turn === undefined ? 'refused' : this.record.appendRequest(action, this.#turn);
    if (outcome === 'new') return;
    if (outcome === 'known' && this.#guard?.isRereading === true) {
      this.#answerAgain(action);
      return;
    }
    // Outside of a turn, without a canonical form, or under an id that was used, nobody could say what an answer is for.
    this.record.appendError('agent_failed', refusedProposalText, this.#turn);
    const deny = action.options.find(option => option.kind === 'deny');
    if (deny) this.#agent?.respondPermission(action.id, deny.id);
  }

  /** Only for the very action that was answered: its digest says so. */
  #answerAgain(action: ProposedAction): void {
    const answer = this.record.answerTo(action);
    if (answer !== undefined) this.#agent?.respondPermission(action.id, answer);
  }

  #onFailure(agent: RunningAgent): void {
    agent.stop();
    this.#onExit({ expected: false, detail: 'it said something that could not be dealt with' });
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
    if (!exit.expected)
      this.record.appendError(
        'agent_crashed',
        `The agent ended unexpectedly. Send a prompt to start it again. (${exit.detail})`,
        this.#turn,
      );
    this.#offered.reject();
    this.#finishTurn(this.#stopping ? 'stopped' : 'error', 'unknown');
    this.#rejectQueue();
    if (this.#stopping) this.record.appendEnd();
    this.record.announceChange();
  }

  #onNeverAccepted(): void {
    this.#offered.reject();
    this.#finishTurn('error', 'unknown');
    void this.#next();
  }

  #rejectQueue(): void {
    for (const prompt of this.#queue.drain()) this.record.appendPrompt(prompt, 'not_delivered');
  }
}
