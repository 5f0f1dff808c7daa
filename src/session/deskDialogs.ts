import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import type { ToolCallBlock } from '../../core/protocol/block/toolBlocks.ts';
import type { BlockId, TurnId } from '../../core/protocol/ids.ts';
import type { ApprovalPorts, Approvals } from './approval/approvals.ts';
import { DialogRequests } from './approval/dialogRequests.ts';
import type { TerminalPrompt, TerminalPrompts } from '../adapters/terminalSupport.ts';
import type { SessionRecord } from './sessionRecord.ts';

/** How long the agent's record may take to show the call that a dialog is about; a sub-agent's is never in it. */
const callMs = 1_500;
/** A dialog that could not be put to anybody for so long is one that the desk has to answer. */
const untoldMs = 2_000;
/** How long after a restart a dialog that is still there may take to be told of again. */
const againMs = 2_000;

/** A dialog that is put to people. */
interface Told {
  readonly ids: readonly BlockId[];
  readonly call: BlockId | undefined;
  /** Its call has run, so somebody at the desk has allowed it. */
  readonly hasRun?: boolean;
}

/**
 * The dialogs of an agent's own terminal, put to people as requests and questions. Whoever answers first has answered: at the
 * desk, and it is taken back here; here, and its program is told. The agent's record has the last word on what came of it.
 */
export class DeskDialogs implements Disposable {
  readonly #record: SessionRecord;
  readonly #requests: DialogRequests;
  readonly #clock: Clock;
  readonly #told = new Map<string, Told>();
  /** Those that are not put to anybody yet, and since when. */
  readonly #seen = new Map<string, number>();
  /** Calls whose request was answered, and how as far as is known; until their result is there. */
  readonly #answered = new Map<
    BlockId,
    { readonly id: BlockId; readonly turn: TurnId; readonly granted: boolean }
  >();
  #prompts: TerminalPrompts | undefined;
  #following = new DisposableStore();
  #timer: Disposable | undefined;
  #needsDesk = false;
  #followedAt = 0;

  constructor(record: SessionRecord, approvals: Approvals, ports: Pick<ApprovalPorts, 'clock' | 'digest'>) {
    this.#record = record;
    this.#requests = new DialogRequests(record, approvals, ports.digest);
    this.#clock = ports.clock;
  }

  /** The agent waits at the desk for something that can be answered only there. */
  get needsDesk(): boolean {
    return this.#needsDesk;
  }

  /** @param prompts of the agent in its terminal; undefined once it is there no more */
  follow(prompts: TerminalPrompts | undefined): void {
    this.#following.dispose();
    this.#following = new DisposableStore();
    for (const known of [this.#told, this.#seen, this.#answered]) known.clear();
    this.#prompts = prompts;
    this.#followedAt = this.#clock.monotonic();
    if (prompts !== undefined) {
      this.#following.add(prompts.onDidChange(() => this.#look()));
      this.#following.add(
        this.#record.onDidUpdate(update => {
          if (update.type === 'event') this.#hear(update.block);
        }),
      );
    }
    this.#lookLater(0);
  }

  dispose(): void {
    this.follow(undefined);
    this.#timer?.dispose();
  }

  /** What the record says. Nothing is written from within, since it is being written. */
  #hear(block: Block): void {
    if (block.type === 'permission_resolved') this.#noteAnswer(block);
    if (block.type === 'tool_result') this.#settleCall(block.tool_call_id, block.outcome);
    if (block.type === 'tool_call' || block.type === 'user_echo') this.#lookLater(0);
  }

  #noteAnswer({ id, granted, turn_id }: Extract<Block, { type: 'permission_resolved' }>): void {
    const told = [...this.#told.values()].find(({ ids }) => ids.includes(id));
    if (told?.call !== undefined && turn_id !== undefined)
      this.#answered.set(told.call, { id, turn: turn_id, granted });
  }

  #settleCall(call: BlockId, outcome: Extract<Block, { type: 'tool_result' }>['outcome']): void {
    for (const [id, told] of [...this.#told]) {
      if (told.call !== call) continue;
      this.#told.set(id, { ...told, hasRun: outcome === 'ok' });
      this.#prompts?.settle(id);
    }
    const answered = this.#answered.get(call);
    this.#answered.delete(call);
    const wasGranted = outcome === 'ok' ? true : outcome === 'denied' ? false : answered?.granted;
    if (answered === undefined || wasGranted === answered.granted) return;
    // Somebody at the desk has answered: it was not known how, or they were faster.
    queueMicrotask(() =>
      this.#try(() => this.#requests.correct(answered.id, answered.turn, wasGranted === true)),
    );
  }

  #look(): void {
    const open = this.#prompts?.open ?? [];
    const now = this.#clock.monotonic();
    for (const [id, { ids, hasRun = false }] of [...this.#told]) {
      if (open.some(prompt => prompt.id === id)) continue;
      if (this.#try(() => this.#requests.takeBack(ids, hasRun))) this.#told.delete(id);
    }
    for (const id of [...this.#seen.keys()])
      if (!open.some(prompt => prompt.id === id)) this.#seen.delete(id);
    for (const prompt of open) if (!this.#told.has(prompt.id)) this.#try(() => this.#put(prompt, now));
    const isSettled = this.#prompts === undefined || now - this.#followedAt >= againMs;
    if (isSettled && this.#prompts !== undefined) this.#try(() => this.#sweep());
    const waits = [...this.#seen.values()].map(since => now - since);
    const isOverdue = waits.some(ms => ms >= untoldMs);
    this.#tellNeed(this.#prompts?.needsDesk === true || isOverdue);
    if (waits.length > 0 || !isSettled) this.#lookLater(isOverdue ? untoldMs : untoldMs / 4);
  }

  /** Takes back what waits since before a restart, and was answered at the desk meanwhile. */
  #sweep(): void {
    const { pending, questions } = this.#record.state;
    const told = new Set([...this.#told.values()].flatMap(({ ids }) => ids));
    this.#requests.takeBack([...pending, ...questions].map(({ id }) => id).filter(id => !told.has(id)));
  }

  #put(prompt: TerminalPrompt, now: number): void {
    const since = this.#seen.get(prompt.id) ?? now;
    this.#seen.set(prompt.id, since);
    const { turn, openCalls } = this.#record.state;
    const claimed = new Set([...this.#told.values()].map(({ call }) => call));
    const call = [...openCalls.values()].find(each => isFor(prompt, each) && !claimed.has(each.id))?.id;
    if (turn === undefined || (call === undefined && now - since < callMs)) return;
    const ids = this.#requests.ask(prompt, turn, call);
    if (ids === undefined) return;
    this.#told.set(prompt.id, { ids, call });
    this.#seen.delete(prompt.id);
  }

  #tellNeed(needsDesk: boolean): void {
    if (needsDesk === this.#needsDesk) return;
    this.#needsDesk = needsDesk;
    this.#record.announceChange();
  }

  #lookLater(ms: number): void {
    this.#timer?.dispose();
    this.#timer = this.#clock.after(ms, () => this.#look());
  }

  /** @returns whether it worked; a full disk, say, is tried again */
  #try(step: () => void): boolean {
    if (!this.#record.isOurs) return false;
    try {
      step();
      return true;
    } catch {
      this.#lookLater(untoldMs);
      return false;
    }
  }
}

function isFor({ tool, input }: TerminalPrompt, call: ToolCallBlock): boolean {
  // The program may name arguments in another order than the model did.
  return call.name === tool && isDeepStrictEqual(call.input, input);
}
