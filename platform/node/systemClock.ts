import { longestTimerMs, type Clock } from '../../core/base/clock.ts';
import { toDisposable } from '../../core/base/disposable.ts';

/** The machine's clock. Its timers do not keep a process alive. */
export const systemClock: Clock = {
  now: () => new Date().getTime(),
  monotonic: () => performance.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, Math.min(delayMs, longestTimerMs));
    timer.unref();
    return toDisposable(() => clearTimeout(timer));
  },
};
