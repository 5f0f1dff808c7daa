import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';

/** How long an agent may take to end its turn once it was told to stop, in milliseconds. */
const stopMs = 15_000;

/** Until when a stop may take. One that is asked for again has no longer. */
export class StopDeadline implements Disposable {
  readonly #clock: Clock;
  #timer: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param onIgnored called once, when the turn has not ended by then */
  begin(onIgnored: () => void): void {
    this.#timer ??= this.#clock.after(stopMs, onIgnored);
  }

  /** The turn has ended. */
  end(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  dispose(): void {
    this.end();
  }
}
