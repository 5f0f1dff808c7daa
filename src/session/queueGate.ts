import { fullJitterDelay } from '../../core/base/backoff.ts';
import { shorten } from '../../core/base/cutText.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import type { AgentBlock } from '../adapters/agent.ts';
import { heldByRefusalText } from './agentText.ts';
import { waitingPrompts } from './promptQueue.ts';
import { isForNow, isLastTry } from './refusals.ts';
import type { SessionRecord } from './sessionRecord.ts';

/** Before the next prompt when the service that refused one does not say how long (requirement C44). */
const backoff = { baseMs: 30_000, capMs: 30_000 };
/** Sooner, it would be refused again. */
const leastWaitMs = 5_000;
/** UTF-16 units of an error's words. */
const errorChars = 1_000;

/**
 * Whether what waits goes on by itself: at once, after a pause, or not before a person says so. The journal says which, so that
 * a pause that was told holds over a restart.
 */
export class QueueGate implements Disposable {
  readonly #record: SessionRecord;
  readonly #clock: Clock;
  readonly #unit: () => number;
  readonly #goOn: () => void;
  #pause: Disposable | undefined;

  /**
   * @param ports.unit a random number in [0, 1)
   * @param goOn called once a pause is over that somebody was told to wait for
   */
  constructor(
    record: SessionRecord,
    ports: { readonly clock: Clock; readonly unit: () => number },
    goOn: () => void,
  ) {
    this.#record = record;
    this.#clock = ports.clock;
    this.#unit = ports.unit;
    this.#goOn = goOn;
  }

  /** Whether a prompt goes now. After `wait` it is to be asked again when it says so; at `hold`, a person goes on. */
  ask(): 'go' | 'wait' | 'hold' {
    this.#pause?.dispose();
    this.#pause = undefined;
    const { isHeld, pausedUntil } = this.#record.state.refusals;
    if (isHeld) return 'hold';
    const waitMs = pausedUntil - this.#clock.now();
    if (waitMs <= 0) return 'go';
    this.#pause = this.#clock.after(waitMs, this.#goOn);
    return 'wait';
  }

  /** Says in an error of the agent what it means for what waits: when it goes on, or that it is held. */
  note(error: AgentBlock): AgentBlock {
    if (error.type !== 'error' || !isForNow(error)) return error;
    const { state } = this.#record;
    if (!isLastTry(state.refusals)) return { ...error, retry_in_ms: error.retry_in_ms ?? this.#pauseMs() };
    const held = { ...error };
    delete held.retry_in_ms;
    if (waitingPrompts(state).length === 0) return held;
    const words = shorten(error.message, errorChars - heldByRefusalText.length - 1);
    return { ...held, message: `${words} ${heldByRefusalText}` };
  }

  dispose(): void {
    this.#pause?.dispose();
  }

  #pauseMs(): number {
    return fullJitterDelay(0, this.#unit(), backoff, leastWaitMs);
  }
}
