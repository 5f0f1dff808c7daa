import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import { Emitter, type Event } from '../../core/base/emitter.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { unreachable } from '../../core/base/unreachable.ts';
import type { Block, ErrorBlock, PermissionRequest, ResolvedBy } from '../../core/protocol/block.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import {
  blockId,
  turnId,
  type BlockId,
  type DeviceId,
  type SessionId,
  type TurnId,
} from '../../core/protocol/ids.ts';
import type { SessionSummary } from '../../core/protocol/message.ts';
import { toTimestamp } from '../../core/protocol/timestamp.ts';
import type {
  AgentBlock,
  AgentEvent,
  AgentStartFailure,
  ProposedAction,
  RunningAgent,
} from '../adapters/agent.ts';
import { closeTurn, withdrawRequests } from './closeTurn.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { LiveText, type GrowingBlock } from './liveText.ts';
import { PromptQueue, type QueuedPrompt } from './promptQueue.ts';
import { reduceSession, type SessionState } from './sessionState.ts';
import { summarize } from './summarize.ts';

const queuedPrompts = 32;

/** What a session tells its readers. Events are in the journal before they are announced. */
export type SessionUpdate =
  | { readonly type: 'event'; readonly seq: number; readonly block: Block }
  | { readonly type: 'live'; readonly block: GrowingBlock };

export interface SessionPorts {
  readonly clock: Clock;
  /** 32 hex digits that never repeat. */
  readonly uniqueId: () => string;
  /** Digest of the canonical action (protocol.md K20); undefined when it has no canonical form. */
  readonly digest: (action: {
    readonly agent_id: string;
    readonly session_id: string;
    readonly turn_id: string;
    readonly tool: string;
    readonly input: ProposedAction['input'];
    readonly cwd: string;
  }) => string | undefined;
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
  readonly #ports: SessionPorts;
  readonly #journal: Journal;
  readonly #live: LiveText;
  readonly #queue = new PromptQueue(queuedPrompts);
  readonly #updated = new Emitter<SessionUpdate>();
  readonly #changed = new Emitter<void>();
  #state: SessionState;
  #agent: RunningAgent | undefined;
  /** The prompt that the agent has been given and has not yet taken. */
  #offered: QueuedPrompt | undefined;
  #busy = false;
  #ended = false;
  #stopping = false;
  #disposed = false;

  readonly onDidUpdate: Event<SessionUpdate> = this.#updated.event;
  /** The summary may have changed. */
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(journal: Journal, state: SessionState, ports: SessionPorts) {
    this.#journal = journal;
    this.#state = state;
    this.#ports = ports;
    this.#live = new LiveText(ports.clock, block => this.#updated.fire({ type: 'live', block }));
  }

  get id(): SessionId {
    return this.#journal.header.session_id;
  }

  get generation(): number {
    return this.#journal.header.generation;
  }

  get lastSeq(): number {
    return this.#journal.lastSeq;
  }

  get summary(): SessionSummary {
    return summarize(this.#journal.header, this.#state, { busy: this.#busy, ended: this.#ended });
  }

  /** Requests that wait, oldest first. */
  get pending(): readonly PermissionRequest[] {
    return this.#state.pending;
  }

  /** Texts that still grow, for a reader that joins. */
  get growing(): readonly GrowingBlock[] {
    return this.#live.blocks;
  }

  history(sinceSeq: number): Iterable<JournalEntry> {
    return this.#journal.since(sinceSeq);
  }

  /**
   * Accepts a prompt: it is in the journal when this returns, and its state is told as it changes. The same
   * `clientMsgId` again changes nothing.
   */
  prompt(text: string, clientMsgId: string, actor: Actor): Result<void, ErrorCode> {
    if (this.#ended) return fail('stale_session');
    const known = this.#state.prompts.get(clientMsgId);
    if (known !== undefined) return known.text === text ? ok(undefined) : fail('request_conflict');
    if (this.#queue.isFull) return fail('busy');
    const prompt: QueuedPrompt = { text, clientMsgId, deviceId: actor.deviceId };
    this.#recordPrompt(prompt, 'queued', undefined);
    this.#queue.add(prompt);
    void this.#next();
    return ok(undefined);
  }

  /** Answers one request. The first valid answer wins; any later one is stale. */
  answer(id: BlockId, optionId: string, digest: string, actor: Actor): Result<void, ErrorCode> {
    const request = this.#state.pending.find(candidate => candidate.id === id);
    if (request === undefined || this.#agent === undefined) return fail('stale_approval');
    const option = request.options.find(candidate => candidate.id === optionId);
    if (option === undefined) return fail('invalid_request');
    // Recomputed over what will run, not taken from what was sent.
    if (digest !== this.#digestOf(request)) return fail('digest_mismatch');
    this.#record({
      type: 'permission_resolved',
      ts: this.#now(),
      turn_id: request.turn_id,
      id,
      option_id: option.id,
      granted: option.kind !== 'deny',
      by: actor.kind,
      ...(actor.name === undefined ? {} : { by_name: actor.name }),
    });
    this.#journal.flush();
    this.#agent.respondPermission(id, option.id);
    return ok(undefined);
  }

  /** Stops the running turn. Requests are withdrawn at once, so that nothing is approved on the way out. */
  interrupt(turn: TurnId): Result<void, ErrorCode> {
    if (this.#state.turn === undefined || this.#agent === undefined) return fail('not_running');
    if (this.#state.turn !== turn) return fail('stale_turn');
    for (const block of withdrawRequests(this.#state, 'interrupt', this.#now())) this.#record(block);
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
    else this.#changed.fire();
    return ok(undefined);
  }

  /** Lets go of the agent, which its keeper keeps, and closes the journal. */
  dispose(): void {
    this.#disposed = true;
    this.#agent?.dispose();
    this.#live.dispose();
    this.#updated.dispose();
    this.#changed.dispose();
    this.#journal.dispose();
  }

  async #next(): Promise<void> {
    if (this.#busy || this.#ended) return;
    const prompt = this.#queue.take();
    if (prompt === undefined) return;
    this.#busy = true;
    const agent = this.#agent ?? (await this.#start());
    if (agent === undefined || this.#isOver()) {
      this.#busy = false;
      this.#recordPrompt(prompt, 'not_delivered', undefined);
      this.#rejectQueue();
      return;
    }
    const turn = turnId.parse(`turn_${this.#ports.uniqueId()}`);
    this.#offered = prompt;
    this.#turn = turn;
    agent.send(turn, prompt.text);
    this.#changed.fire();
  }

  #turn: TurnId | undefined;

  async #start(): Promise<RunningAgent | undefined> {
    const started = await this.#ports.startAgent();
    if (!started.ok) {
      this.#recordError(started.code, startFailureText(started.code));
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
        if (this.#offered) this.#recordPrompt(this.#offered, 'delivered', this.#turn);
        this.#offered = undefined;
        return;
      case 'block':
        this.#onBlock(event.block);
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

  #onBlock(content: AgentBlock): void {
    const block: Block = {
      ...content,
      ts: this.#now(),
      ...(this.#turn === undefined ? {} : { turn_id: this.#turn }),
    };
    if (block.type === 'text' || block.type === 'thinking') {
      if (!block.done) {
        this.#live.update(block);
        return;
      }
      this.#live.close(block.id);
    }
    this.#record(block);
  }

  #onProposal(action: ProposedAction): void {
    const { tool, input, cwd } = action;
    const agent_id = this.#journal.header.agent_id;
    const request =
      this.#turn === undefined ? undefined : { turn_id: this.#turn, agent_id, tool, input, cwd };
    const digest = request === undefined ? undefined : this.#digestOf(request);
    // Outside of a turn, or without a canonical form, nobody could say what an answer is for: the agent is told no.
    if (request === undefined || digest === undefined) {
      const deny = action.options.find(option => option.kind === 'deny');
      if (deny) this.#agent?.respondPermission(action.id, deny.id);
      return;
    }
    this.#record({
      type: 'permission_request',
      ts: this.#now(),
      id: action.id,
      ...(action.toolCallId === undefined ? {} : { tool_call_id: action.toolCallId }),
      ...request,
      title: action.title,
      risk: action.risk,
      options: [...action.options],
      digest,
    });
    this.#journal.flush();
  }

  #finishTurn(
    reason: 'completed' | 'interrupted' | 'error' | 'stopped',
    outcome: 'interrupted' | 'unknown',
  ): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    for (const block of this.#live.blocks) {
      this.#live.close(block.id);
      this.#record({ ...block, done: true });
    }
    for (const block of closeTurn(this.#state, { turn, reason, outcome, ts: this.#now() }))
      this.#record(block);
    this.#turn = undefined;
    this.#busy = false;
    this.#journal.flush();
    this.#changed.fire();
  }

  #onExit(exit: { readonly expected: boolean; readonly detail: string }): void {
    this.#agent?.dispose();
    this.#agent = undefined;
    if (!exit.expected)
      this.#recordError('agent_crashed', `The agent ended unexpectedly: ${exit.detail}`.slice(0, 1_000));
    if (this.#offered) this.#recordPrompt(this.#offered, 'not_delivered', undefined);
    this.#offered = undefined;
    this.#finishTurn(this.#stopping ? 'stopped' : 'error', 'unknown');
    this.#rejectQueue();
    this.#changed.fire();
  }

  #rejectQueue(): void {
    for (const prompt of this.#queue.drain()) this.#recordPrompt(prompt, 'not_delivered', undefined);
  }

  #recordPrompt(
    prompt: QueuedPrompt,
    state: 'queued' | 'delivered' | 'not_delivered',
    turn: TurnId | undefined,
  ): void {
    this.#record({
      type: 'user_echo',
      ts: this.#now(),
      ...(turn === undefined ? {} : { turn_id: turn }),
      id: blockId.parse(`prompt_${prompt.clientMsgId}`),
      text: prompt.text,
      state,
      client_msg_id: prompt.clientMsgId,
      ...(prompt.deviceId === undefined ? {} : { device_id: prompt.deviceId }),
    });
  }

  #recordError(code: ErrorBlock['code'], message: string): void {
    const id = blockId.parse(`error_${this.#ports.uniqueId()}`);
    const turn = this.#turn === undefined ? {} : { turn_id: this.#turn };
    this.#record({ type: 'error', ts: this.#now(), ...turn, id, code, message });
  }

  #record(block: Block): void {
    if (this.#disposed) return;
    const seq = this.#journal.append(block);
    this.#state = reduceSession(this.#state, block);
    this.#updated.fire({ type: 'event', seq, block });
    this.#changed.fire();
  }

  #digestOf(
    action: Pick<PermissionRequest, 'turn_id' | 'agent_id' | 'tool' | 'input' | 'cwd'>,
  ): string | undefined {
    const { agent_id, turn_id, tool, input, cwd } = action;
    return this.#ports.digest({ agent_id, session_id: this.id, turn_id, tool, input, cwd });
  }

  #now(): number {
    return toTimestamp(this.#ports.clock.now());
  }
}

function startFailureText(code: AgentStartFailure): string {
  switch (code) {
    case 'agent_missing':
      return 'The agent is not installed on this machine.';
    case 'agent_failed':
      return 'The agent could not be started. The log says more.';
    case 'workspace_missing':
      return 'Open a folder in the editor first: the agent needs one to work in.';
  }
}
