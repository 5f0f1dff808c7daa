import { fullJitterDelay } from '../../core/base/backoff.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';

/** How often an agent that ended unexpectedly is started again by itself, until a turn has completed (requirement C43). */
export const maxRespawns = 3;
const backoff = { baseMs: 1_000, capMs: 30_000 };

export interface PlannedRespawn {
  /** 1 for the first. */
  readonly attempt: number;
  readonly delayMs: number;
}

/** When an agent that ended unexpectedly is started again, and when no more. */
export class Respawn implements Disposable {
  readonly #clock: Clock;
  readonly #unit: () => number;
  #attempts = 0;
  #timer: Disposable | undefined;

  /** @param unit a random number in [0, 1) */
  constructor(clock: Clock, unit: () => number) {
    this.#clock = clock;
    this.#unit = unit;
  }

  /** It was started again, and no turn has completed since. */
  get isTried(): boolean {
    return this.#attempts > 0;
  }

  /** @returns undefined when it was tried often enough */
  plan(): PlannedRespawn | undefined {
    if (this.#attempts >= maxRespawns) return undefined;
    const delayMs = fullJitterDelay(this.#attempts, this.#unit(), backoff);
    this.#attempts += 1;
    return { attempt: this.#attempts, delayMs };
  }

  schedule({ delayMs }: PlannedRespawn, start: () => void): void {
    this.cancel();
    this.#timer = this.#clock.after(delayMs, start);
  }

  /** Somebody else starts it, or nobody does any more. */
  cancel(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  /** It works. */
  reset(): void {
    this.#attempts = 0;
  }

  dispose(): void {
    this.cancel();
  }
}
