import { createHash } from 'node:crypto';
import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { TextPatcher } from '../../core/channel/textPatcher.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import { blockHintOf } from '../../core/protocol/blockHintOf.ts';
import type { BlockId } from '../../core/protocol/ids.ts';
import type { ToldMessage } from '../../core/protocol/toldMessage.ts';
import type { BlockHint } from '../../core/protocol/relayFrame.ts';
import type { GrowingBlock } from '../session/liveText.ts';
import type { Session } from '../session/session.ts';
import type { DeviceChannel } from './deviceChannel.ts';
import { tellBlock } from './tellBlock.ts';

/** How often a phone is told the newest `seq`, so that silence proves nothing is missing. */
const heartbeatMs = 20_000;

/** What is followed, and who is told. */
export type FeedSource = Pick<
  Session,
  'header' | 'summary' | 'lastSeq' | 'history' | 'growing' | 'carried' | 'onDidUpdate' | 'onDidChange'
>;
export type FeedReader = Pick<DeviceChannel, 'send'>;

/** Where a reader stands. */
export interface FeedStart {
  /** The last block that it holds, or that a snapshot leaves out. */
  readonly sinceSeq: number;
  /** It is told the present instead of all that it missed. */
  readonly isSnapshot: boolean;
  /** It rebuilds growing texts from patches. */
  readonly takesPatches: boolean;
}

/**
 * Follows one session for one phone. It reads the journal from a cursor, so that a slow phone costs no memory and a gap
 * cannot happen: events go out in order of `seq`, whatever is written meanwhile. It listens before it reads (requirement R42).
 */
export class SessionFeed implements Disposable {
  readonly #session: FeedSource;
  readonly #channel: FeedReader;
  readonly #clock: Clock;
  readonly #disposables = new DisposableStore();
  /** Newest form of growing blocks that are still to be told. */
  readonly #growing = new Map<BlockId, GrowingBlock>();
  readonly #patcher: TextPatcher | undefined;
  #snapshot: readonly Block[] | undefined;
  #cursor: number;
  #replaying = true;
  #summaryChanged = false;
  #heartbeatDue = false;
  #pumping = false;
  /** Something changed since the pump last looked. */
  #woken = false;

  constructor(session: FeedSource, channel: FeedReader, clock: Clock, start: FeedStart) {
    this.#session = session;
    this.#channel = channel;
    this.#clock = clock;
    this.#cursor = start.sinceSeq;
    this.#snapshot = start.isSnapshot ? session.carried : undefined;
    this.#patcher = start.takesPatches ? new TextPatcher(sha256) : undefined;
    this.#disposables.add(
      session.onDidUpdate(update => {
        if (update.type === 'live') this.#growing.set(update.block.id, update.block);
        // It was written as it is now, so an earlier form is told no more.
        else this.#growing.delete(update.block.id);
        this.#wake();
      }),
    );
    this.#disposables.add(
      session.onDidChange(() => {
        this.#summaryChanged = true;
        this.#wake();
      }),
    );
    for (const block of session.growing) this.#growing.set(block.id, block);
    this.#scheduleHeartbeat();
    this.#wake();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #scheduleHeartbeat(): void {
    const timer = this.#disposables.add(
      this.#clock.after(heartbeatMs, () => {
        this.#disposables.delete(timer);
        this.#heartbeatDue = true;
        this.#wake();
        this.#scheduleHeartbeat();
      }),
    );
  }

  #wake(): void {
    this.#woken = true;
    if (!this.#pumping) void this.#pump();
  }

  /** Sends until nothing is left to say, one frame at a time. Never rejects. */
  async #pump(): Promise<void> {
    this.#pumping = true;
    try {
      while (this.#woken && !this.#disposables.isDisposed) {
        this.#woken = false;
        while (await this.#sendNext());
      }
    } catch {
      // The journal cannot be read now (too many open files, say): it goes on from where it is, at a heartbeat at the latest.
    } finally {
      this.#pumping = false;
    }
  }

  /** @returns false when there is nothing to send, or the channel is closed */
  async #sendNext(): Promise<boolean> {
    if (this.#disposables.isDisposed) return false;
    const { generation } = this.#session.header;
    if (this.#snapshot !== undefined) return this.#sendSnapshot(this.#snapshot);
    if (this.#cursor < this.#session.lastSeq) {
      for (const { seq, block } of this.#session.history(this.#cursor)) {
        if (!(await this.#sendEvent(seq, block))) return false;
        this.#cursor = seq;
      }
      return true;
    }
    if (this.#replaying) {
      this.#summaryChanged = false;
      const { summary } = this.#session;
      const done = {
        kind: 'replay_done',
        up_to_seq: this.#cursor,
        generation,
        oldest_seq: 1,
        summary,
      } as const;
      const isOpen = await this.#say(done, 'state');
      this.#replaying = false;
      return isOpen;
    }
    for (const block of this.#growing.values()) {
      this.#growing.delete(block.id);
      return this.#sendGrowing(block);
    }
    if (this.#summaryChanged) {
      this.#summaryChanged = false;
      return this.#say({ kind: 'summary', summary: this.#session.summary }, 'state');
    }
    if (this.#heartbeatDue) {
      this.#heartbeatDue = false;
      return this.#say({ kind: 'heartbeat', last_seq: this.#cursor }, 'state');
    }
    return false;
  }

  /**
   * What cannot be told is left out, so that what comes after it is not missing, too.
   *
   * @returns false once the channel is closed
   */
  async #say(message: ToldMessage, hint: BlockHint): Promise<boolean> {
    const sent = await this.#channel.send(message, hint);
    return sent.ok || sent.code !== 'closed';
  }

  /** The present: what still matters of the blocks that are left out, then the newest blocks as ever. */
  async #sendSnapshot(carried: readonly Block[]): Promise<boolean> {
    this.#snapshot = undefined;
    const { generation } = this.#session.header;
    const { summary } = this.#session;
    if (!(await this.#say({ kind: 'snapshot', seq: this.#cursor, generation, summary }, 'state')))
      return false;
    for (const written of carried) {
      const isOpen = await tellBlock(this.#channel, written, block => ({ kind: 'live', generation, block }));
      if (!isOpen) return false;
    }
    return true;
  }

  async #sendGrowing(block: GrowingBlock): Promise<boolean> {
    const { generation } = this.#session.header;
    if (this.#patcher === undefined) return this.#say({ kind: 'live', generation, block }, 'text');
    const patch = this.#patcher.next(block);
    const sent = await this.#channel.send({ kind: 'patch', generation, patch }, 'text');
    if (!sent.ok) this.#patcher.forget(block.id);
    return sent.ok || sent.code !== 'closed';
  }

  async #sendEvent(seq: number, block: Block): Promise<boolean> {
    const { generation } = this.#session.header;
    const options = { timeMs: Math.round(block.ts * 1000) };
    // A text of which the reader has a revision is told as its change.
    if ((block.type === 'text' || block.type === 'thinking') && this.#patcher?.knows(block.id) === true) {
      const patch = this.#patcher.next(block);
      const message = { kind: 'event_patch' as const, seq, generation, patch };
      const sent = await this.#channel.send(message, blockHintOf(block), options);
      if (sent.ok) return true;
      this.#patcher.forget(block.id);
    }
    const eventOf = (form: Block): ToldMessage => ({ kind: 'event', seq, generation, block: form });
    return tellBlock(this.#channel, block, eventOf, options);
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
