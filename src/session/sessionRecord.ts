import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import { Emitter, type Event } from '../../core/base/emitter.ts';
import { shorten } from '../../core/base/cutText.ts';
import { block as blockSchema, type Block } from '../../core/protocol/block/block.ts';
import type { ConversationOwner, ErrorBlock, HandoffState } from '../../core/protocol/block/sessionBlocks.ts';
import type { PromptState } from '../../core/protocol/block/textBlocks.ts';
import { blockId, type TurnId } from '../../core/protocol/ids.ts';
import { toTimestamp } from '../../core/protocol/timestamp.ts';
import type { AgentBlock } from '../adapters/agent.ts';
import { unreadableBlockText } from './agentText.ts';
import { closeTurn, type TurnEnd } from './closeTurn.ts';
import type { Journal } from './journal.ts';
import type { OutputPlace } from './journalEntry.ts';
import { LiveText, type GrowingBlock } from './liveText.ts';
import type { QueuedPrompt } from './promptQueue.ts';
import type { RecentForms } from './recentForms.ts';
import type { RestoredSession } from './restoreSession.ts';
import type { SessionState } from './sessionState.ts';

/** UTF-16 units of an error's words. */
const errorChars = 1_000;

/** What a session tells its readers. Events are in the journal before they are announced. */
export type SessionUpdate =
  | { readonly type: 'event'; readonly seq: number; readonly block: Block }
  | { readonly type: 'live'; readonly block: GrowingBlock };

export interface SessionRecordPorts {
  readonly clock: Clock;
  /** 32 hex digits that never repeat. */
  readonly uniqueId: () => string;
  /** The right to write; asked before every write. Absent: nobody else could have it. */
  readonly lease?: { isCurrent(): boolean };
  /** Told once: another process writes this record now, so nothing is written here any more. */
  readonly overtaken?: () => void;
}

/** What a session has written and what it amounts to: journal, state, and the texts that still grow. */
export class SessionRecord implements Disposable {
  readonly journal: Journal;
  readonly live: LiveText;
  readonly #ports: SessionRecordPorts;
  readonly #updated = new Emitter<SessionUpdate>();
  readonly #changed = new Emitter<void>();
  /** Takes in what is written, so that a checkpoint of the journal has it, too. */
  readonly #restored: RestoredSession;
  readonly #known: RecentForms;
  /** The agent's line that is being dealt with, while it is. */
  place: OutputPlace | undefined;
  /** When the agent wrote it, in Unix milliseconds; undefined: now. */
  saidAt: number | undefined;
  #state: SessionState;
  #disposed = false;
  #isOvertaken = false;

  readonly onDidUpdate: Event<SessionUpdate> = this.#updated.event;
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(journal: Journal, restored: RestoredSession, ports: SessionRecordPorts) {
    this.journal = journal;
    this.#restored = restored;
    this.#state = restored.state;
    this.#known = restored.known;
    this.#ports = ports;
    this.live = new LiveText(
      ports.clock,
      block => this.#updated.fire({ type: 'live', block }),
      block => this.append(block),
    );
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Unix seconds. */
  get now(): number {
    const now = this.#ports.clock.now();
    return toTimestamp(Math.min(this.saidAt ?? now, now));
  }

  /** When the agent said what the record has of it last, in Unix milliseconds; 0 when it has said nothing. */
  get heardAt(): number {
    return (this.#restored.lastLine?.ts ?? 0) * 1_000;
  }

  /** This process is the one that writes. Once it is not, it never is again. */
  get isOurs(): boolean {
    if (this.#isOvertaken) return false;
    if (this.#ports.lease?.isCurrent() !== false) return true;
    this.#isOvertaken = true;
    this.#ports.overtaken?.();
    return false;
  }

  /**
   * Writes a block, and tells of it. One that breaks a bound of the protocol could not be read again: an error is written in
   * its place.
   *
   * @returns whether the block was written
   */
  append(block: Block): boolean {
    if (this.#disposed || !this.isOurs) return false;
    const isValid = blockSchema.safeParse(block).success;
    const seq = isValid ? this.journal.append(block, this.place) : undefined;
    if (seq === undefined) this.appendError('agent_failed', unreadableBlockText, block.turn_id);
    if (seq === undefined) return false;
    this.#restored.add(block, this.place);
    this.#state = this.#restored.state;
    this.#updated.fire({ type: 'event', seq, block });
    this.#changed.fire();
    return true;
  }

  /** How far a prompt got; a repeated one replaces what stood there. */
  appendPrompt(prompt: QueuedPrompt, state: PromptState, turn?: TurnId): void {
    this.append({
      type: 'user_echo',
      ts: this.now,
      ...(turn === undefined ? {} : { turn_id: turn }),
      id: blockId.parse(`prompt_${prompt.clientMsgId}`.slice(0, 128)),
      text: prompt.text,
      state,
      client_msg_id: prompt.clientMsgId,
      ...(prompt.deviceId === undefined ? {} : { device_id: prompt.deviceId }),
    });
  }

  appendError(code: ErrorBlock['code'], message: string, turn: TurnId | undefined): void {
    const id = blockId.parse(`error_${this.#ports.uniqueId()}`);
    this.append({
      type: 'error',
      ts: this.now,
      ...(turn === undefined ? {} : { turn_id: turn }),
      id,
      code,
      message: shorten(message, errorChars),
    });
  }

  /** A growing text is announced and not yet written; everything else is written now. */
  appendAgentBlock(content: AgentBlock, turn: TurnId | undefined): void {
    // Under the id of a request it would take the place of what somebody is asked.
    if (this.#state.requests.has(content.id)) return;
    const block: Block = { ...content, ts: this.now, ...(turn === undefined ? {} : { turn_id: turn }) };
    if (block.type === 'text' || block.type === 'thinking') {
      if (!block.done) {
        this.live.update(block);
        return;
      }
      this.live.close(block.id);
    }
    // After a restart the agent's last output is read again; what was written of it is not written twice.
    if (this.#known.has(block)) return;
    this.append(block);
    // It is gone for good: what comes next begins another conversation instead of failing for ever.
    if (block.type === 'error' && block.code === 'session_not_found') this.forgetNativeId();
  }

  /** Whether the newest part of the record has this as something that the agent said in that turn. */
  hasSaid(content: AgentBlock, turn: TurnId | undefined): boolean {
    return this.isKnown({ ...content, ts: 0, ...(turn === undefined ? {} : { turn_id: turn }) });
  }

  /** Whether the newest part of the record has this block already, whatever its time. */
  isKnown(block: Block): boolean {
    return this.#known.has(block);
  }

  /** Ends what is open in the turn, and the turn itself. */
  appendTurnEnd(end: Omit<TurnEnd, 'ts'>): void {
    for (const block of this.live.blocks) {
      // What cannot be written now is still there for the next try.
      this.append({ ...block, done: true });
      this.live.close(block.id);
    }
    this.appendAll(closeTurn(this.#state, { ...end, ts: this.now }));
    this.journal.flush();
  }

  /** Written before the turn ends, so that a restart can resume the conversation (requirement T86). */
  appendNativeId(native_id: string): void {
    const { agent } = this.#state;
    if (agent === undefined || agent.native_id === native_id) return;
    this.append({ ...agent, ts: this.now, native_id });
    this.journal.flush();
  }

  /** Nothing was said under this id, so the agent does not know it. */
  forgetNativeId(): void {
    if (this.#state.agent === undefined) return;
    const agent = { ...this.#state.agent, ts: this.now };
    delete agent.native_id;
    this.append(agent);
  }

  /** @param mirror who has it, and where in the agent's own record what is read of it begins */
  appendHandoff(
    state: HandoffState['state'],
    mirror?: { readonly owner: ConversationOwner; readonly from: OutputPlace },
  ): void {
    this.place = mirror?.from;
    try {
      const id = blockId.parse(`handoff_${this.#ports.uniqueId()}`);
      this.append({ type: 'handoff_state', ts: this.now, id, state, owner: mirror?.owner ?? 'bridge' });
    } finally {
      this.place = undefined;
    }
    this.journal.flush();
  }

  appendEnd(): void {
    this.append({
      type: 'session_state',
      ts: this.now,
      id: blockId.parse('session_state'),
      activity: 'ended',
    });
    this.journal.flush();
  }

  appendAll(blocks: readonly Block[]): void {
    for (const block of blocks) this.append(block);
  }

  /** Something that is not in the journal changed what a summary says. */
  announceChange(): void {
    this.#changed.fire();
  }

  dispose(): void {
    this.live.keepAll();
    this.#disposed = true;
    this.live.dispose();
    this.#updated.dispose();
    this.#changed.dispose();
    this.journal.dispose();
  }
}
