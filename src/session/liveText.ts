import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import type { TextBlock, ThinkingBlock } from '../../core/protocol/block/textBlocks.ts';
import type { BlockId } from '../../core/protocol/ids.ts';

export type GrowingBlock = TextBlock | ThinkingBlock;

/** At most ten updates in any second for each block (protocol.md 2.4): nine of these, and its end, which waits for nothing. */
const intervalMs = 112;
/**
 * A text that grows for longer is written as it is then: what dies with its agent and its editor is at most this much, and
 * what one interval adds.
 */
const keepMs = 3_000;

interface OpenBlock {
  block: GrowingBlock;
  announcedAt: number;
  keptAt: number;
  timer: Disposable | undefined;
}

/** Texts that still grow: the newest form of each, announced at a bounded rate. */
export class LiveText implements Disposable {
  readonly #open = new Map<BlockId, OpenBlock>();
  readonly #clock: Clock;
  readonly #announce: (block: GrowingBlock) => void;
  readonly #keep: (block: GrowingBlock) => void;

  /** @param keep writes the present form of a block that has been growing for a while, which announces it, too */
  constructor(clock: Clock, announce: (block: GrowingBlock) => void, keep: (block: GrowingBlock) => void) {
    this.#clock = clock;
    this.#announce = announce;
    this.#keep = keep;
  }

  /** Blocks without an end, in the order in which they began. */
  get blocks(): readonly GrowingBlock[] {
    return [...this.#open.values()].map(entry => entry.block);
  }

  update(block: GrowingBlock): void {
    const now = this.#clock.monotonic();
    const entry = this.#open.get(block.id) ?? {
      block,
      announcedAt: -Infinity,
      keptAt: now,
      timer: undefined,
    };
    entry.block = block;
    this.#open.set(block.id, entry);
    if (entry.timer !== undefined) return;
    const waitMs = entry.announcedAt + intervalMs - now;
    if (waitMs <= 0) this.#tell(entry);
    else entry.timer = this.#clock.after(waitMs, () => this.#tell(entry));
  }

  #tell(entry: OpenBlock): void {
    const now = this.#clock.monotonic();
    entry.timer = undefined;
    entry.announcedAt = now;
    if (now - entry.keptAt >= keepMs && this.#canKeep(entry.block)) entry.keptAt = now;
    else this.#announce(entry.block);
  }

  /** The disk may be full now: the text is told all the same, and written the next time, or at its end. */
  #canKeep(block: GrowingBlock): boolean {
    try {
      this.#keep(block);
      return true;
    } catch {
      return false;
    }
  }

  /** Writes the present form of everything that grows, as far as it can be written: this process is about to go. */
  keepAll(): void {
    for (const { block } of this.#open.values()) this.#canKeep(block);
  }

  /** Forgets a block, which ends as an event. */
  close(id: BlockId): void {
    this.#open.get(id)?.timer?.dispose();
    this.#open.delete(id);
  }

  dispose(): void {
    for (const entry of this.#open.values()) entry.timer?.dispose();
    this.#open.clear();
  }
}
