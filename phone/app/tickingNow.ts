import { signal, type ReadonlySignal } from '@preact/signals';
import type { Clock } from '../../core/base/clock.ts';

const tickMs = 15_000;

/** The time as a signal, coarse enough for "3 min". Runs as long as the page. */
export function tickingNow(clock: Clock): ReadonlySignal<number> {
  const now = signal(clock.now());
  const tick = (): void => {
    now.value = clock.now();
    clock.after(tickMs, tick);
  };
  clock.after(tickMs, tick);
  return now;
}
