/** Bounds of a retry delay, in milliseconds. */
export interface BackoffLimits {
  readonly baseMs: number;
  readonly capMs: number;
}

/**
 * Full-jitter exponential backoff: uniform in [0, min(cap, base * 2^attempt)], never under `floorMs`.
 * Source: "Exponential Backoff And Jitter", AWS Architecture Blog.
 *
 * @param attempt 0 for the first retry
 * @param unit a random number in [0, 1)
 */
export function fullJitterDelay(attempt: number, unit: number, limits: BackoffLimits, floorMs = 50): number {
  const ceiling = Math.min(limits.capMs, limits.baseMs * 2 ** Math.min(attempt, 30));
  return Math.max(floorMs, Math.floor(unit * ceiling));
}
