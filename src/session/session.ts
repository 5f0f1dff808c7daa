import type { Disposable } from '../../core/base/disposable.ts';
import type { Event } from '../../core/base/emitter.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { unreachable } from '../../core/base/unreachable.ts';
import type { PermissionRequest } from '../../core/protocol/block.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { turnId, type BlockId, type SessionId, type TurnId } from '../../core/protocol/ids.ts';
import type { SessionSummary } from '../../core/protocol/message.ts';
import type { AgentEvent, AgentStartFailure, ProposedAction, RunningAgent } from '../adapters/agent.ts';
import type { Actor } from './actor.ts';
import { withdrawRequests, type TurnEnd } from './closeTurn.ts';
import type { Journal, JournalEntry, JournalHeader } from './journal.ts';
import type { GrowingBlock } from './liveText.ts';
import { openPrompts } from './openPrompts.ts';
import { PromptQueue, type QueuedPrompt } from './promptQueue.ts';
import { SessionRecord, type SessionRecordPorts, type SessionUpdate } from './sessionRecord.ts';
import type { RestoredSession } from './restoreSession.ts';
import { startFailureText } from './startFailureText.ts';
import { summarize } from './summarize.ts';

const queuedPrompts = 32;

/** After a restart: how long a prompt that was on its way may take to be accepted. */
const acceptanceMs = 15_000;

export interface SessionPorts extends SessionRecordPorts {
  readonly startAgent: () => Promise<Result<RunningAgent, AgentStartFailure>>;
}

/** One conversation with one agent, and its only writer. */
export class Session implements Disposable {
  readonly #record: SessionRecord;
  readonly #ports: SessionPorts;
  readonly #queue = new PromptQueue(queuedPrompts);
  #agent: RunningAgent | undefined;
  /** The prompt that the agent has been given and has not yet taken. */
  #offered: QueuedPrompt | undefined;
  /** The turn that the agent runs. */
  #turn: TurnId | undefined;
  #busy = false;
  #stopping = false;
  #disposed = false;

  #acceptance: Disposable | undefined;
  readonly onDidUpdate: Event<SessionUpdate>;
  readonly onDidChange: Event<void>;

  constructor(journal: Journal, restored: RestoredSession, ports: SessionPorts) {
    this.#record = new SessionRecord(journal, restored, ports);
    this.#ports = ports;
    this.onDidUpdate = this.#record.onDidUpdate;
    this.onDidChange = this.#record.onDidChange;
  }

  get id(): SessionId {
    return this.header.session_id;
  }

  get header(): JournalHeader {
    return this.#record.journal.header;
  }

  get lastSeq(): number {
    return this.#record.journal.lastSeq;
  }

  get summary(): SessionSummary {
    return summarize(this.header, this.#record.state, { busy: this.#busy, ended: this.#isEnded });
  }

  /** The agent's own id of this conversation, once it is known. */
  get nativeId(): string | undefined {
    return this.#record.state.agent?.native_id;
  }

  /** Process id of the running agent; 0 when none runs. */
  get agentPid(): number {
    return this.#agent?.pid ?? 0;
  }

  /** Requests that wait, oldest first. */
  get pending(): readonly PermissionRequest[] {
    return this.#record.state.pending;
  }

  /** Texts that still grow, for a reader that joins. */
  get growing(): readonly GrowingBlock[] {
    return this.#record.live.blocks;
  }

  history(sinceSeq: number): Iterable<JournalEntry> {
    return this.#record.history(sinceSeq);
  }

  /**
   * Accepts a prompt: it is in the journal when this returns, and its state is told as it changes. The same
   * `clientMsgId` again changes nothing.
   */
  prompt(text: string, clientMsgId: string, actor: Actor): Result<void, ErrorCode> {
    if (this.#isEnded) return fail('stale_session');
    const known = this.#record.state.prompts.get(clientMsgId);
    if (known !== undefined) return known.text === text ? ok(undefined) : fail('request_conflict');
    if (this.#queue.isFull) return fail('busy');
    const prompt: QueuedPrompt = { text, clientMsgId, deviceId: actor.deviceId };
    this.#record.appendPrompt(prompt, 'queued');
    this.#queue.add(prompt);
    void this.#next();
    return ok(undefined);
  }

  /** Answers one request. The first valid answer wins; any later one is stale. */
  answer(id: BlockId, optionId: string, digest: string, actor: Actor): Result<void, ErrorCode> {
    if (this.#agent === undefined) return fail('stale_approval');
    const resolved = this.#record.resolve(id, optionId, digest, actor);
    if (!resolved.ok) return resolved;
    this.#agent.respondPermission(id, optionId);
    return ok(undefined);
  }

  /** Stops the running turn. Requests are withdrawn at once, so that nothing is approved on the way out. */
  interrupt(turn: TurnId): Result<void, ErrorCode> {
    if (this.#record.state.turn === undefined || this.#agent === undefined) return fail('not_running');
    if (this.#record.state.turn !== turn) return fail('stale_turn');
    this.#record.appendAll(withdrawRequests(this.#record.state, 'interrupt', this.#record.now));
    this.#agent.interrupt();
    return ok(undefined);
  }

  /** Ends the conversation and its agent. What waits is told as not delivered. */
  end(): Result<void, ErrorCode> {
    if (this.#isEnded || this.#stopping) return ok(undefined);
    this.#rejectQueue();
    this.#stopping = true;
    if (this.#agent) this.#agent.stop();
    else this.#record.appendEnd();
    return ok(undefined);
  }

  /**
   * Goes on where the journal ends. With `agent`, it has been running all along; without, whatever it was doing has
   * ended: its turn reads `interrupted`, its calls `unknown`, and nothing is run again (architecture D5).
   */
  resume(agent: RunningAgent | undefined): void {
    const { turn, offered, waiting } = openPrompts(this.#record.state);
    this.#turn = turn;
    this.#busy = turn !== undefined;
    this.#offered = offered;
    for (const prompt of waiting) this.#queue.add(prompt);
    if (agent !== undefined) {
      this.#agent = agent;
      void this.#follow(agent);
      if (this.#offered)
        this.#acceptance = this.#ports.clock.after(acceptanceMs, () => this.#onNeverAccepted());
    } else {
      this.#rejectOffered();
      this.#finishTurn('interrupted', 'unknown');
    }
    void this.#next();
  }

  /** Lets go of the agent, which its keeper keeps, and closes the journal. */
  dispose(): void {
    this.#disposed = true;
    this.#acceptance?.dispose();
    this.#agent?.dispose();
    this.#record.dispose();
  }

  async #next(): Promise<void> {
    if (this.#busy || this.#isOver()) return;
    const prompt = this.#queue.take();
    if (prompt === undefined) return;
    this.#busy = true;
    const agent = this.#agent ?? (await this.#start());
    if (agent === undefined || this.#isOver()) {
      this.#busy = false;
      this.#record.appendPrompt(prompt, 'not_delivered');
      this.#rejectQueue();
      return;
    }
    const turn = turnId.parse(`turn_${this.#ports.uniqueId()}`);
    this.#offered = prompt;
    this.#turn = turn;
    // Written first: after a crash it is known that this prompt was on its way.
    this.#record.appendPrompt(prompt, 'queued', turn);
    agent.send(turn, prompt.text);
  }

  async #start(): Promise<RunningAgent | undefined> {
    const started = await this.#ports.startAgent();
    if (!started.ok) {
      this.#record.appendError(started.code, startFailureText(started.code), undefined);
      return undefined;
    }
    if (this.#isOver()) {
      started.value.stop();
      return undefined;
    }
    this.#agent = started.value;
    void this.#follow(started.value);
    return started.value;
  }

  #isOver(): boolean {
    return this.#isEnded || this.#stopping || this.#disposed;
  }

  get #isEnded(): boolean {
    return this.#record.state.ended;
  }

  async #follow(agent: RunningAgent): Promise<void> {
    for await (const event of agent.events) {
      if (this.#disposed) return;
      this.#onAgentEvent(event);
    }
  }

  #onAgentEvent(event: AgentEvent): void {
    switch (event.type) {
      case 'prompt_accepted':
        this.#acceptance?.dispose();
        if (this.#offered) this.#record.appendPrompt(this.#offered, 'delivered', this.#turn);
        this.#offered = undefined;
        return;
      case 'block':
        this.#record.appendAgentBlock(event.block, this.#turn);
        return;
      case 'proposal':
        this.#onProposal(event.action);
        return;
      case 'proposal_withdrawn':
        this.#record.appendWithdrawal(event.id);
        return;
      case 'native_id':
        this.#record.appendNativeId(event.id);
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
    }
    return unreachable(event);
  }

  #onProposal(action: ProposedAction): void {
    if (this.#turn !== undefined && this.#record.appendRequest(action, this.#turn)) {
      // Read again after a restart: an answer that was written may not have reached the agent.
      const answer = this.#record.answers.get(action.id);
      if (answer !== undefined) this.#agent?.respondPermission(action.id, answer);
      return;
    }
    // Outside of a turn, or without a canonical form, nobody could say what an answer is for: the agent is told no.
    const deny = action.options.find(option => option.kind === 'deny');
    if (deny) this.#agent?.respondPermission(action.id, deny.id);
  }

  #finishTurn(reason: TurnEnd['reason'], outcome: TurnEnd['outcome']): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#record.appendTurnEnd({ turn, reason, outcome });
    this.#turn = undefined;
    this.#busy = false;
    this.#record.announceChange();
  }

  #onExit(exit: { readonly expected: boolean; readonly detail: string }): void {
    this.#agent?.dispose();
    this.#agent = undefined;
    if (!exit.expected)
      this.#record.appendError(
        'agent_crashed',
        `The agent ended unexpectedly. Send a prompt to start it again. (${exit.detail})`,
        this.#turn,
      );
    this.#rejectOffered();
    this.#finishTurn(this.#stopping ? 'stopped' : 'error', 'unknown');
    this.#rejectQueue();
    if (this.#stopping) this.#record.appendEnd();
    this.#record.announceChange();
  }

  #onNeverAccepted(): void {
    this.#rejectOffered();
    this.#finishTurn('error', 'unknown');
    void this.#next();
  }

  #rejectOffered(): void {
    this.#acceptance?.dispose();
    if (this.#offered) this.#record.appendPrompt(this.#offered, 'not_delivered');
    this.#offered = undefined;
  }

  #rejectQueue(): void {
    for (const prompt of this.#queue.drain()) this.#record.appendPrompt(prompt, 'not_delivered');
  }
}
