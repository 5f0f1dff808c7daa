import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import type { TextBlock, ThinkingBlock } from '../../core/protocol/block.ts';
import type { BlockId } from '../../core/protocol/ids.ts';

export type GrowingBlock = TextBlock | ThinkingBlock;

/** At most ten updates a second for each block (protocol.md 2.4). */
const intervalMs = 100;

/** Texts that still grow: the newest form of each, announced at a bounded rate. */
export class LiveText implements Disposable {
  readonly #open = new Map<
    BlockId,
    { block: GrowingBlock; announcedAt: number; timer: Disposable | undefined }
  >();
  readonly #clock: Clock;
  readonly #announce: (block: GrowingBlock) => void;

  constructor(clock: Clock, announce: (block: GrowingBlock) => void) {
    this.#clock = clock;
    this.#announce = announce;
  }

  /** Blocks without an end, in the order in which they began. */
  get blocks(): readonly GrowingBlock[] {
    return [...this.#open.values()].map(entry => entry.block);
  }

  update(block: GrowingBlock): void {
    const entry = this.#open.get(block.id) ?? { block, announcedAt: -Infinity, timer: undefined };
    entry.block = block;
    this.#open.set(block.id, entry);
    if (entry.timer !== undefined) return;
    const waitMs = entry.announcedAt + intervalMs - this.#clock.monotonic();
    const announce = (): void => {
      entry.timer = undefined;
      entry.announcedAt = this.#clock.monotonic();
      this.#announce(entry.block);
    };
    if (waitMs <= 0) announce();
    else entry.timer = this.#clock.after(waitMs, announce);
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
