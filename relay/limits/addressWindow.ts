/** How many attempts an address has in a window. */
export interface WindowLimit {
  readonly attempts: number;
  readonly windowMs: number;
  /** Addresses counted at a time. */
  readonly addresses: number;
}

interface Count {
  readonly endsAt: number;
  attempts: number;
}

/** Counts attempts by address in fixed windows. Bounded: the oldest count makes room. */
export class AddressWindow {
  readonly #limit: WindowLimit;
  readonly #counts = new Map<string, Count>();

  constructor(limit: WindowLimit) {
    this.#limit = limit;
  }

  /**
   * Counts one attempt.
   *
   * @param nowMs a monotonic time
   * @returns 0 when it is allowed, else the seconds until the next one is
   */
  attempt(address: string, nowMs: number): number {
    const known = this.#counts.get(address);
    if (known !== undefined && nowMs < known.endsAt) {
      if (known.attempts >= this.#limit.attempts) return Math.ceil((known.endsAt - nowMs) / 1000);
      known.attempts += 1;
      return 0;
    }
    this.#counts.delete(address);
    this.#makeRoom();
    this.#counts.set(address, { endsAt: nowMs + this.#limit.windowMs, attempts: 1 });
    return 0;
  }

  #makeRoom(): void {
    if (this.#counts.size < this.#limit.addresses) return;
    for (const oldest of this.#counts.keys()) {
      this.#counts.delete(oldest);
      return;
    }
  }
}
