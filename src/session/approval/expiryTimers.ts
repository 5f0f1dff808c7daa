import type { Clock } from '../../../core/base/clock.ts';
import type { Disposable } from '../../../core/base/disposable.ts';
import type { PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';
import type { BlockId } from '../../../core/protocol/ids.ts';

/** What nobody answers for a day is told no: who meets it later has forgotten what it was about. In milliseconds. */
export const answerMs = 24 * 3_600_000;
/** Until it is tried again when the end of a time could not be written: the disk is full, say. */
const againMs = 60_000;

/** Says of each request that waits when its time is over, and again when that failed. */
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
    this.#wait(id, Math.max(0, expires_at * 1_000 - this.#clock.now()));
  }

  /** Forgets those that do not wait any more. */
  retain(isWaiting: (id: BlockId) => boolean): void {
    for (const id of [...this.#timers.keys()]) if (!isWaiting(id)) this.delete(id);
  }

  delete(id: BlockId): void {
    this.#timers.get(id)?.dispose();
    this.#timers.delete(id);
  }

  #wait(id: BlockId, ms: number): void {
    this.delete(id);
    const expire = (): void => {
      try {
        this.#expire(id);
      } catch {
        this.#wait(id, againMs);
      }
    };
    this.#timers.set(id, this.#clock.after(ms, expire));
  }

  dispose(): void {
    for (const timer of this.#timers.values()) timer.dispose();
    this.#timers.clear();
  }
}
