import type { Disposable } from './disposable.ts';

/** Timers count milliseconds in 31 bits, nearly 25 days; one that is longer would be over at once. */
export const longestTimerMs = 2_147_483_647;

/** Time as a port, so that tests own it. */
export interface Clock {
  /** Wall time in milliseconds since the Unix epoch. May jump. */
  now(): number;
  /** Milliseconds on a clock that never goes back; only differences mean something. */
  monotonic(): number;
  /** Runs `task` once after `delayMs`, or after `longestTimerMs` if that is sooner; disposing before then cancels it. */
  after(delayMs: number, task: () => void): Disposable;
}
