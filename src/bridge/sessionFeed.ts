import { createHash } from 'node:crypto';
import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { TextPatcher } from '../../core/channel/textPatcher.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import { blockHintOf } from '../../core/protocol/blockHintOf.ts';
import type { BlockId } from '../../core/protocol/ids.ts';
import type { GrowingBlock } from '../session/liveText.ts';
import type { Session } from '../session/session.ts';
import type { DeviceChannel } from './deviceChannel.ts';
import { shortenBlock, toldBlock } from './shortenBlock.ts';

/** How often a phone is told the newest `seq`, so that silence proves nothing is missing. */
const heartbeatMs = 20_000;

/** What is followed, and who is told. */
export type FeedSource = Pick<
  Session,
  'header' | 'summary' | 'lastSeq' | 'history' | 'growing' | 'carried' | 'onDidUpdate' | 'onDidChange'
>;
export type FeedReader = Pick<DeviceChannel, 'isOpen' | 'send'>;

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
        else if ((update.block.type === 'text' || update.block.type === 'thinking') && update.block.done)
          this.#growing.delete(update.block.id);
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

  /** Sends until nothing is left to say, one frame at a time. */
  async #pump(): Promise<void> {
    this.#pumping = true;
    while (this.#woken && !this.#disposables.isDisposed) {
      this.#woken = false;
      while (await this.#sendNext());
    }
    this.#pumping = false;
  }

  /** @returns false when there is nothing to send, or the channel is gone */
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
      this.#replaying = false;
      this.#summaryChanged = false;
      const { summary } = this.#session;
      return this.#channel.send(
        { kind: 'replay_done', up_to_seq: this.#cursor, generation, oldest_seq: 1, summary },
        'state',
      );
    }
    for (const block of this.#growing.values()) {
      this.#growing.delete(block.id);
      return this.#sendGrowing(block);
    }
    if (this.#summaryChanged) {
      this.#summaryChanged = false;
      return this.#channel.send({ kind: 'summary', summary: this.#session.summary }, 'state');
    }
    if (this.#heartbeatDue) {
      this.#heartbeatDue = false;
      return this.#channel.send({ kind: 'heartbeat', last_seq: this.#cursor }, 'state');
    }
    return false;
  }

  /** The present: what still matters of the blocks that are left out, then the newest blocks as ever. */
  async #sendSnapshot(carried: readonly Block[]): Promise<boolean> {
    this.#snapshot = undefined;
    const { generation } = this.#session.header;
    const { summary } = this.#session;
    if (!(await this.#channel.send({ kind: 'snapshot', seq: this.#cursor, generation, summary }, 'state')))
      return false;
    for (const written of carried) {
      const block = toldBlock(written);
      const live = (form: Block) =>
        this.#channel.send({ kind: 'live', generation, block: form }, blockHintOf(form));
      if (!(await live(block)) && !(await live(shortenBlock(block)))) return false;
    }
    return true;
  }

  async #sendGrowing(block: GrowingBlock): Promise<boolean> {
    const { generation } = this.#session.header;
    if (this.#patcher === undefined) return this.#channel.send({ kind: 'live', generation, block }, 'text');
    const patch = this.#patcher.next(block);
    const told = await this.#channel.send({ kind: 'patch', generation, patch }, 'text');
    if (!told) this.#patcher.forget(block.id);
    return told;
  }

  async #sendEvent(seq: number, written: Block): Promise<boolean> {
    const block = toldBlock(written);
    const { generation } = this.#session.header;
    const hint = blockHintOf(block);
    const options = { timeMs: Math.round(block.ts * 1000) };
    // A text of which the reader has a revision is told as its change.
    if ((block.type === 'text' || block.type === 'thinking') && this.#patcher?.knows(block.id) === true) {
      const patch = this.#patcher.next(block);
      if (await this.#channel.send({ kind: 'event_patch', seq, generation, patch }, hint, options))
        return true;
      this.#patcher.forget(block.id);
    }
    if (await this.#channel.send({ kind: 'event', seq, generation, block }, hint, options)) return true;
    // A text full of characters that JSON has to escape may not fit one frame; its shortened form does.
    const short = shortenBlock(block);
    return (
      this.#channel.isOpen &&
      this.#channel.send({ kind: 'event', seq, generation, block: short }, hint, options)
    );
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
