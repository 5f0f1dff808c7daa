/** A rate: `burst` at once, then `perSecond`. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** Counts one peer against a rate. Two numbers of state, no timer. */
export class TokenBucket {
  #tokens: number;
  #at: number;

  constructor(rate: Rate, nowMs: number) {
    this.#tokens = rate.burst;
    this.#at = nowMs;
  }

  /**
   * Takes one token; the count may go below zero, so that a peer which is slowed down pays for what was already read.
   *
   * @param nowMs a monotonic time
   * @returns whether the peer is within its rate
   */
  take(rate: Rate, nowMs: number): boolean {
    this.#refill(rate, nowMs);
    this.#tokens -= 1;
    return this.#tokens >= 0;
  }

  /** Whether at least half of the burst is back: when to read on. */
  isRested(rate: Rate, nowMs: number): boolean {
    this.#refill(rate, nowMs);
    return this.#tokens >= rate.burst / 2;
  }

  #refill(rate: Rate, nowMs: number): void {
    const elapsed = Math.max(0, nowMs - this.#at);
    this.#tokens = Math.min(rate.burst, this.#tokens + (elapsed / 1000) * rate.perSecond);
    this.#at = nowMs;
  }
}
