import type { Disposable } from '../../core/base/disposable.ts';
import type { Event } from '../../core/base/emitter.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { unreachable } from '../../core/base/unreachable.ts';
import type { PermissionRequest, ResolvedBy } from '../../core/protocol/block.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { turnId, type BlockId, type DeviceId, type SessionId, type TurnId } from '../../core/protocol/ids.ts';
import type { SessionSummary } from '../../core/protocol/message.ts';
import type { AgentEvent, AgentStartFailure, ProposedAction, RunningAgent } from '../adapters/agent.ts';
import { withdrawRequests, type TurnEnd } from './closeTurn.ts';
import type { Journal, JournalEntry } from './journal.ts';
import type { GrowingBlock } from './liveText.ts';
import { PromptQueue, type QueuedPrompt } from './promptQueue.ts';
import { SessionRecord, type SessionRecordPorts, type SessionUpdate } from './sessionRecord.ts';
import type { SessionState } from './sessionState.ts';
import { startFailureText } from './startFailureText.ts';
import { summarize } from './summarize.ts';

const queuedPrompts = 32;

export interface SessionPorts extends SessionRecordPorts {
  readonly startAgent: () => Promise<Result<RunningAgent, AgentStartFailure>>;
}

/** Who answered or asked. */
export interface Actor {
  readonly kind: Extract<ResolvedBy, 'device' | 'desktop'>;
  readonly deviceId?: DeviceId;
  readonly name?: string;
}

/** One conversation with one agent, and its only writer. */
export class Session implements Disposable {
  readonly #record: SessionRecord;
  readonly #startAgent: SessionPorts['startAgent'];
  readonly #queue = new PromptQueue(queuedPrompts);
  #agent: RunningAgent | undefined;
  /** The prompt that the agent has been given and has not yet taken. */
  #offered: QueuedPrompt | undefined;
  /** The turn that the agent runs. */
  #turn: TurnId | undefined;
  #busy = false;
  #ended = false;
  #stopping = false;
  #disposed = false;

  readonly #uniqueId: () => string;
  readonly onDidUpdate: Event<SessionUpdate>;
  /** The summary may have changed. */
  readonly onDidChange: Event<void>;

  constructor(journal: Journal, state: SessionState, ports: SessionPorts) {
    this.#record = new SessionRecord(journal, state, ports);
    this.#startAgent = ports.startAgent;
    this.#uniqueId = ports.uniqueId;
    this.onDidUpdate = this.#record.onDidUpdate;
    this.onDidChange = this.#record.onDidChange;
  }

  get id(): SessionId {
    return this.#record.journal.header.session_id;
  }

  get generation(): number {
    return this.#record.journal.header.generation;
  }

  get lastSeq(): number {
    return this.#record.journal.lastSeq;
  }

  get summary(): SessionSummary {
    return summarize(this.#record.journal.header, this.#record.state, {
      busy: this.#busy,
      ended: this.#ended,
    });
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
    if (this.#ended) return fail('stale_session');
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
    const request = this.#record.state.pending.find(candidate => candidate.id === id);
    if (request === undefined || this.#agent === undefined) return fail('stale_approval');
    const option = request.options.find(candidate => candidate.id === optionId);
    if (option === undefined) return fail('invalid_request');
    // Recomputed over what will run, not taken from what was sent.
    if (digest !== this.#record.digestOf(request)) return fail('digest_mismatch');
    this.#record.append({
      type: 'permission_resolved',
      ts: this.#record.now,
      turn_id: request.turn_id,
      id,
      option_id: option.id,
      granted: option.kind !== 'deny',
      by: actor.kind,
      ...(actor.name === undefined ? {} : { by_name: actor.name }),
    });
    this.#record.journal.flush();
    this.#agent.respondPermission(id, option.id);
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
    if (this.#ended) return ok(undefined);
    this.#ended = true;
    this.#rejectQueue();
    this.#stopping = true;
    if (this.#agent) this.#agent.stop();
    else this.#record.announceChange();
    return ok(undefined);
  }

  /** Ends the agent and closes the journal. */
  dispose(): void {
    this.#disposed = true;
    this.#agent?.stop();
    this.#agent?.dispose();
    this.#record.dispose();
  }

  async #next(): Promise<void> {
    if (this.#busy || this.#ended) return;
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
    const turn = turnId.parse(`turn_${this.#uniqueId()}`);
    this.#offered = prompt;
    this.#turn = turn;
    agent.send(turn, prompt.text);
    this.#record.announceChange();
  }

  async #start(): Promise<RunningAgent | undefined> {
    const started = await this.#startAgent();
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
    return this.#ended || this.#disposed;
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
        if (this.#offered) this.#record.appendPrompt(this.#offered, 'delivered', this.#turn);
        this.#offered = undefined;
        return;
      case 'block':
        this.#record.appendAgentBlock(event.block, this.#turn);
        return;
      case 'proposal':
        this.#onProposal(event.action);
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
    if (this.#turn !== undefined && this.#record.appendRequest(action, this.#turn)) return;
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
      this.#record.appendError('agent_crashed', `The agent ended unexpectedly: ${exit.detail}`, this.#turn);
    if (this.#offered) this.#record.appendPrompt(this.#offered, 'not_delivered');
    this.#offered = undefined;
    this.#finishTurn(this.#stopping ? 'stopped' : 'error', 'unknown');
    this.#rejectQueue();
    this.#record.announceChange();
  }

  #rejectQueue(): void {
    for (const prompt of this.#queue.drain()) this.#record.appendPrompt(prompt, 'not_delivered');
  }
}
