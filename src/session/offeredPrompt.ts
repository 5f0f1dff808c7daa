import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import type { TurnId } from '../../core/protocol/ids.ts';
import type { QueuedPrompt } from './promptQueue.ts';
import type { SessionRecord } from './sessionRecord.ts';

/** After a restart: how long a prompt that was on its way may take to be accepted. */
const acceptanceMs = 15_000;

/** The prompt that the agent has been given and has not yet taken. */
export class OfferedPrompt implements Disposable {
  readonly #record: SessionRecord;
  readonly #clock: Clock;
  #prompt: QueuedPrompt | undefined;
  #deadline: Disposable | undefined;

  constructor(record: SessionRecord, clock: Clock) {
    this.#record = record;
    this.#clock = clock;
  }

  /** Written before it is sent: after a crash it is known that this prompt was on its way. */
  offer(prompt: QueuedPrompt, turn: TurnId): void {
    this.#prompt = prompt;
    this.#record.appendPrompt(prompt, 'queued', turn);
  }

  /** One that was on its way when the editor went; nobody can say yet whether the agent has it. */
  restore(prompt: QueuedPrompt | undefined, onNeverAccepted: () => void): void {
    this.#prompt = prompt;
    if (prompt !== undefined) this.#deadline = this.#clock.after(acceptanceMs, onNeverAccepted);
  }

  accept(turn: TurnId | undefined): void {
    this.#deadline?.dispose();
    if (this.#prompt) this.#record.appendPrompt(this.#prompt, 'delivered', turn);
    this.#prompt = undefined;
  }

  reject(): void {
    this.#deadline?.dispose();
    if (this.#prompt) this.#record.appendPrompt(this.#prompt, 'not_delivered');
    this.#prompt = undefined;
  }

  dispose(): void {
    this.#deadline?.dispose();
  }
}
