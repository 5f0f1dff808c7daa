import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import type { TurnId } from '../../core/protocol/ids.ts';
import { nextPrompt, offeredPrompt, queuedPromptOf } from './promptQueue.ts';
import type { SessionRecord } from './sessionRecord.ts';

/**
 * How long an agent may take to take a prompt. It may just have been started: it loads its conversation, its servers and
 * what its user has it run before, and may be slow at that.
 */
const takeMs = 300_000;
/** After a restart: how long a prompt that was on its way may take to be accepted. */
const acceptanceMs = 15_000;

/** The prompt that the agent has been given and has not yet taken. Which one it is, the journal says. */
export class OfferedPrompt implements Disposable {
  readonly #record: SessionRecord;
  readonly #clock: Clock;
  #deadline: Disposable | undefined;

  constructor(record: SessionRecord, clock: Clock) {
    this.#record = record;
    this.#clock = clock;
  }

  /**
   * Takes the prompt that goes next. Written before it is sent: after a crash it is known that it was on its way.
   *
   * @param onNeverTaken called once, when the agent has not taken it in time
   * @returns its text; undefined when none goes
   */
  offer(turn: TurnId, onNeverTaken: () => void): string | undefined {
    const next = nextPrompt(this.#record.state);
    if (next === undefined) return undefined;
    this.#record.appendPrompt(queuedPromptOf(next), 'queued', turn);
    // On the disk too: a record that forgot it would have it sent again.
    this.#record.journal.flush();
    this.#await(takeMs, onNeverTaken);
    return next.text;
  }

  /** One that was on its way when the editor went; nobody can say yet whether the agent has it. */
  awaitAcceptance(onNeverAccepted: () => void): void {
    if (offeredPrompt(this.#record.state) !== undefined) this.#await(acceptanceMs, onNeverAccepted);
  }

  accept(): void {
    this.#settle('delivered');
  }

  reject(): void {
    this.#settle('not_delivered');
  }

  dispose(): void {
    this.#deadline?.dispose();
  }

  #await(ms: number, onNeverTaken: () => void): void {
    this.#deadline?.dispose();
    this.#deadline = this.#clock.after(ms, onNeverTaken);
  }

  #settle(state: 'delivered' | 'not_delivered'): void {
    this.#deadline?.dispose();
    const { state: now } = this.#record;
    const offered = offeredPrompt(now);
    if (offered === undefined) return;
    this.#record.appendPrompt(queuedPromptOf(offered), state, state === 'delivered' ? now.turn : undefined);
  }
}
