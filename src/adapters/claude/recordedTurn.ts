import type { AgentEvent } from '../agent.ts';

type Reason = Extract<AgentEvent, { type: 'turn_end' }>['reason'];

/** Why a message of the model ended, when nothing of it is left to be done. */
const lastReasons: ReadonlySet<string> = new Set(['end_turn', 'stop_sequence', 'max_tokens', 'refusal']);

/**
 * Whether a turn runs, as far as the record of a conversation tells. Both versions write `turn_duration` when a turn in the
 * terminal is over; should one not, its end is seen when the model has said its last word and nothing follows.
 * Each turn ends once.
 */
export class RecordedTurn {
  #isOpen = false;
  #isPrompted = false;
  /** The model has said its last word, unless Claude Code makes it go on. */
  #saidLast = false;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * The user has begun a turn. One that runs without a prompt is the same: an answer that comes at once may be written
   * before its prompt. One that has a prompt is over, though nobody wrote so: Claude Code was ended in the middle of it.
   */
  begin(): readonly AgentEvent[] {
    const events = this.#isPrompted ? this.leave() : [];
    this.#isOpen = true;
    this.#isPrompted = true;
    return events;
  }

  /** The model speaks or works. A turn whose beginning was not read is known by that, too. */
  work(stopReason?: string | null): void {
    this.#isOpen = true;
    this.#saidLast = lastReasons.has(stopReason ?? '');
  }

  /** Claude Code has told the model something: it will go on. */
  goOn(): void {
    this.#saidLast = false;
  }

  /** Nothing has followed for a while, or nothing will. */
  quiet(): readonly AgentEvent[] {
    return this.#saidLast ? this.end('completed') : [];
  }

  /** It is over, though nobody wrote so. */
  leave(): readonly AgentEvent[] {
    return this.end(this.#saidLast ? 'completed' : 'interrupted');
  }

  end(reason: Reason): readonly AgentEvent[] {
    const isOpen = this.#isOpen;
    this.#isOpen = false;
    this.#isPrompted = false;
    this.#saidLast = false;
    return isOpen ? [{ type: 'turn_end', reason }] : [];
  }
}
