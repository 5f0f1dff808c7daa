import { longestTimerMs, type Clock } from '../../core/base/clock.ts';
import { toDisposable } from '../../core/base/disposable.ts';

/** The browser's clock. */
export const systemClock: Clock = {
  now: () => new Date().getTime(),
  monotonic: () => performance.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, Math.min(delayMs, longestTimerMs));
    return toDisposable(() => clearTimeout(timer));
  },
};
