import type { Disposable } from './disposable.ts';

/** Time as a port, so that tests own it. */
export interface Clock {
  /** Wall time in milliseconds since the Unix epoch. May jump. */
  now(): number;
  /** Milliseconds on a clock that never goes back; only differences mean something. */
  monotonic(): number;
  /** Runs `task` once after `delayMs`; disposing before then cancels it. */
  after(delayMs: number, task: () => void): Disposable;
}
