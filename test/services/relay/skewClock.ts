import type { Clock } from '../../../core/base/clock.ts';
import { toDisposable, type Disposable } from '../../../core/base/disposable.ts';

interface Waiting {
  readonly due: number;
  run(): void;
}

/** Real time that a test can push forward: timers fire when they are due on either. */
export class SkewClock implements Clock {
  #skew = 0;
  readonly #waiting = new Set<Waiting>();

  now(): number {
    return Date.now() + this.#skew;
  }

  monotonic(): number {
    return performance.now() + this.#skew;
  }

  after(delayMs: number, task: () => void): Disposable {
    const entry: Waiting = {
      due: this.monotonic() + delayMs,
      run: () => {
        clearTimeout(timer);
        if (this.#waiting.delete(entry)) task();
      },
    };
    const timer = setTimeout(() => entry.run(), delayMs);
    this.#waiting.add(entry);
    return toDisposable(() => {
      clearTimeout(timer);
      this.#waiting.delete(entry);
    });
  }

  push(ms: number): void {
    this.#skew += ms;
    const now = this.monotonic();
    for (const entry of [...this.#waiting]) if (entry.due <= now) entry.run();
  }
}
