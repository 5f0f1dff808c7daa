import type { Clock } from '../../core/base/clock.ts';
import { toDisposable, type Disposable } from '../../core/base/disposable.ts';

/** A clock that stands still until a test moves it; nothing of the machine's own time gets in. */
export class StoppedClock implements Clock {
  readonly #pending = new Set<{ readonly dueAt: number; readonly run: () => void }>();
  #at = 0;

  now(): number {
    return 1_800_000_000_000 + this.#at;
  }

  monotonic(): number {
    return this.#at;
  }

  after(delayMs: number, task: () => void): Disposable {
    const entry = { dueAt: this.#at + delayMs, run: task };
    this.#pending.add(entry);
    return toDisposable(() => this.#pending.delete(entry));
  }

  /** Moves time forward by `ms`; what falls due on the way happens at its time, in order. */
  pass(ms: number): void {
    const end = this.#at + ms;
    for (;;) {
      const [next] = [...this.#pending].filter(entry => entry.dueAt <= end).sort((a, b) => a.dueAt - b.dueAt);
      if (next === undefined) break;
      this.#pending.delete(next);
      this.#at = Math.max(this.#at, next.dueAt);
      next.run();
    }
    this.#at = end;
  }
}
