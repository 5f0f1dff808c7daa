import type { Clock } from '../../../core/base/clock.ts';
import type { Disposable } from '../../../core/base/disposable.ts';
import type { PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';
import type { BlockId } from '../../../core/protocol/ids.ts';

/** Says of each request that waits when its time is over. */
export class ExpiryTimers implements Disposable {
  readonly #clock: Clock;
  readonly #expire: (id: BlockId) => void;
  readonly #timers = new Map<BlockId, Disposable>();

  constructor(clock: Clock, expire: (id: BlockId) => void) {
    this.#clock = clock;
    this.#expire = expire;
  }

  /** One without a time of its own waits for ever; one whose time has passed is told at once, and not within this call. */
  add({ id, expires_at }: Pick<PermissionRequest, 'id' | 'expires_at'>): void {
    if (expires_at === undefined) return;
    this.delete(id);
    const left = Math.max(0, expires_at * 1_000 - this.#clock.now());
    this.#timers.set(
      id,
      this.#clock.after(left, () => this.#expire(id)),
    );
  }

  /** Forgets those that do not wait any more. */
  retain(isWaiting: (id: BlockId) => boolean): void {
    for (const id of [...this.#timers.keys()]) if (!isWaiting(id)) this.delete(id);
  }

  delete(id: BlockId): void {
    this.#timers.get(id)?.dispose();
    this.#timers.delete(id);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) timer.dispose();
    this.#timers.clear();
  }
}
