import type { ReadonlySignal } from '@preact/signals';
import type { Disposable } from '../../core/base/disposable.ts';

const usualDeadlineMs = 15_000;

/** Waits until `check` gives something, asked again whenever `subscribe` announces a change. */
export function untilChange<T>(
  what: string,
  check: () => T | undefined | false,
  subscribe: (listener: () => void) => Disposable,
  deadlineMs = usualDeadlineMs,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      subscription?.dispose();
      reject(new Error(`waited in vain for: ${what}`));
    }, deadlineMs);
    const look = (): void => {
      const found = check();
      if (found === undefined || found === false) return;
      clearTimeout(timer);
      // The first look may come before the subscription exists.
      queueMicrotask(() => subscription?.dispose());
      resolve(found);
    };
    let subscription: Disposable | undefined = undefined;
    subscription = subscribe(look);
    look();
  });
}

/** Waits until a computation over signals gives something. */
export function untilSignal<V, T>(
  what: string,
  signal: ReadonlySignal<V>,
  check: (value: V) => T | undefined | false,
  deadlineMs = usualDeadlineMs,
): Promise<T> {
  return untilChange(
    what,
    () => check(signal.value),
    listener => {
      const stop = signal.subscribe(() => listener());
      return { dispose: stop };
    },
    deadlineMs,
  );
}
