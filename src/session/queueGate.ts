import { fullJitterDelay } from '../../core/base/backoff.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import type { ErrorBlock } from '../../core/protocol/block/sessionBlocks.ts';
import type { AgentBlock } from '../adapters/agent.ts';
import type { TurnEnd } from './closeTurn.ts';

/** Between prompts that a model's service refused for now (requirement C44). */
const backoff = { baseMs: 30_000, capMs: 600_000 };
/** Sooner, it would be refused again. */
const leastWaitMs = 5_000;

/** The service wants a pause; the next prompt would be refused as well. */
const waits: ReadonlySet<ErrorBlock['code']> = new Set(['rate_limited', 'overloaded']);
/** Every further prompt would fail until a person has done something (requirements C42, C45). */
const holds: ReadonlySet<ErrorBlock['code']> = new Set([
  'not_logged_in',
  'bad_credentials',
  'context_overflow',
]);

type AgentError = Extract<AgentBlock, { type: 'error' }>;

/** Whether what waits goes on by itself once a turn has ended: at once, after a pause, or not before a person says so. */
export class QueueGate implements Disposable {
  readonly #clock: Clock;
  readonly #unit: () => number;
  /** What the running turn failed of. */
  #trouble: AgentError | undefined;
  /** Turns in a row that were refused for now. */
  #refusals = 0;
  #pause: Disposable | undefined;

  /** @param unit a random number in [0, 1) */
  constructor(clock: Clock, unit: () => number) {
    this.#clock = clock;
    this.#unit = unit;
  }

  /** Nothing goes by itself now. */
  get isShut(): boolean {
    return this.#pause !== undefined;
  }

  /** Takes note of what a turn failed of. @returns it as it is told: with the pause that it makes */
  note(error: AgentBlock): AgentBlock {
    // One that the agent tries again by itself, in the same turn, is none yet.
    if (error.type !== 'error' || error.recoverable === true) return error;
    const isWait = waits.has(error.code);
    const pauseMs = (): number => fullJitterDelay(this.#refusals, this.#unit(), backoff, leastWaitMs);
    this.#trouble = isWait ? { ...error, retry_in_ms: error.retry_in_ms ?? pauseMs() } : error;
    return this.#trouble;
  }

  /**
   * @param goOn called once the pause is over
   * @returns whether what waits is to be held
   */
  turnEnded(reason: TurnEnd['reason'], goOn: () => void): 'go_on' | 'hold' {
    const trouble = reason === 'error' ? this.#trouble : undefined;
    this.#trouble = undefined;
    if (reason === 'completed') this.#refusals = 0;
    if (trouble === undefined) return 'go_on';
    if (waits.has(trouble.code)) {
      this.#refusals += 1;
      this.#pause = this.#clock.after(trouble.retry_in_ms ?? leastWaitMs, () => {
        this.#pause = undefined;
        goOn();
      });
    }
    return holds.has(trouble.code) ? 'hold' : 'go_on';
  }

  /** A person goes on. */
  open(): void {
    this.#pause?.dispose();
    this.#pause = undefined;
  }

  dispose(): void {
    this.open();
  }
}
