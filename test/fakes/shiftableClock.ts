import type { Clock } from '../../core/base/clock.ts';
import { toDisposable, type Disposable } from '../../core/base/disposable.ts';

/** The machine's clock, which a test can move forward: what falls due on the way happens at once. */
export class ShiftableClock implements Clock {
  readonly #pending = new Set<{ readonly dueAt: number; readonly run: () => void }>();
  #offset = 0;

  now(): number {
    return Date.now() + this.#offset;
  }

  monotonic(): number {
    return performance.now() + this.#offset;
  }

  after(delayMs: number, task: () => void): Disposable {
    const entry = {
      dueAt: this.monotonic() + delayMs,
      run: () => {
        clearTimeout(timer);
        if (this.#pending.delete(entry)) task();
      },
    };
    const timer = setTimeout(entry.run, delayMs);
    timer.unref();
    this.#pending.add(entry);
    return toDisposable(() => {
      clearTimeout(timer);
      this.#pending.delete(entry);
    });
  }

  /** Moves time forward by `ms`. */
  shift(ms: number): void {
    this.#offset += ms;
    const due = [...this.#pending].filter(entry => entry.dueAt <= this.monotonic());
    for (const entry of due.sort((a, b) => a.dueAt - b.dueAt)) entry.run();
  }
}
