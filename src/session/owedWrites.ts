import { fullJitterDelay } from '../../core/base/backoff.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import type { SessionRecord } from './sessionRecord.ts';

/** Between tries: a full disk has room again when somebody has made some. */
const backoff = { baseMs: 1_000, capMs: 30_000 };

/**
 * What a record must say although it cannot be written now: the disk is full, say. It is written in order, each once, and
 * tried again after a while, ever later; what comes after it waits meanwhile. Never throws.
 */
export class OwedWrites implements Disposable {
  readonly #record: Pick<SessionRecord, 'place'>;
  readonly #clock: Clock;
  readonly #unit: () => number;
  readonly #steps: (() => void)[] = [];
  #next: (() => void) | undefined;
  #failures = 0;
  #timer: Disposable | undefined;
  #isSettling = false;
  #disposed = false;

  /** @param unit a random number in [0, 1) */
  constructor(record: Pick<SessionRecord, 'place'>, clock: Clock, unit: () => number) {
    this.#record = record;
    this.#clock = clock;
    this.#unit = unit;
  }

  /** Writes now, or as soon as it can be. A step that fails is done again, so it begins with what is not done yet. */
  owe(...steps: readonly (() => void)[]): void {
    const { place } = this.#record;
    for (const step of steps) this.#steps.push(() => this.#at(place, step));
    this.#settle();
  }

  /** Does `task` once nothing is owed: now, as a rule, and again when it fails. Another one takes its place meanwhile. */
  afterwards(task: () => void): void {
    this.#next = task;
    this.#settle();
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
  }

  #settle(): void {
    // What a step asks for in turn comes after it.
    if (this.#isSettling || this.#disposed) return;
    this.#timer?.dispose();
    this.#isSettling = true;
    try {
      for (let step = this.#steps[0]; step !== undefined; step = this.#steps[0]) {
        step();
        this.#steps.shift();
      }
      this.#doNext();
      this.#failures = 0;
    } catch {
      const delayMs = fullJitterDelay(this.#failures, this.#unit(), backoff);
      this.#failures += 1;
      this.#timer = this.#clock.after(delayMs, () => this.#settle());
    } finally {
      this.#isSettling = false;
    }
  }

  #doNext(): void {
    const task = this.#next;
    if (task === undefined) return;
    task();
    if (this.#next === task) this.#next = undefined;
    else this.#doNext();
  }

  /** A restart tells by the agent's own place what of its output has been dealt with. */
  #at(place: SessionRecord['place'], step: () => void): void {
    const present = this.#record.place;
    this.#record.place = place;
    try {
      step();
    } finally {
      this.#record.place = present;
    }
  }
}
