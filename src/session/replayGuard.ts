import type { AgentEvent, RunningAgent } from '../adapters/agent.ts';
import type { TurnId } from '../../core/protocol/ids.ts';
import type { OutputPlace } from './journalEntry.ts';
import type { RestoredSession } from './restoreSession.ts';

/** What is done with an event: all of it, nothing, or only the answer that was given before. */
export type ReplayVerdict = 'apply' | 'skip' | 'answer';

/**
 * Tells the agent's new output from what is read again after a restart. Offsets decide, not content: a turn that ended
 * before is never taken for the end of another one.
 */
export class ReplayGuard {
  readonly #source: string;
  readonly #last: RestoredSession['lastLine'];
  #line = 0;
  #saidAt: number | undefined;
  #rereading = true;

  constructor(agent: Pick<RunningAgent, 'sourceId'>, last: RestoredSession['lastLine']) {
    this.#source = agent.sourceId;
    this.#last = last?.source === agent.sourceId ? last : undefined;
  }

  /** Where an entry that is written now comes from. */
  get place(): OutputPlace {
    return { source: this.#source, end: this.#line };
  }

  /** When the agent wrote that, in Unix milliseconds, as far as its record says. */
  get saidAt(): number | undefined {
    return this.#saidAt;
  }

  /** The line that the journal has last is read again. What was made of it then was of this turn. */
  get lastLine(): { readonly turn: TurnId | undefined } | undefined {
    return this.#last?.end === this.#line ? { turn: this.#last.turn } : undefined;
  }

  /** Output that was there before this process attached is still being read. */
  get isRereading(): boolean {
    return this.#rereading;
  }

  endReread(): void {
    this.#rereading = false;
  }

  judge(event: AgentEvent): ReplayVerdict {
    if (event.type === 'line') {
      this.#line = event.end;
      this.#saidAt = event.at;
      return 'skip';
    }
    if (event.type === 'exit' || event.type === 'checkpoint' || event.type === 'native_id') return 'apply';
    if (this.#last === undefined || this.#line > this.#last.end) return 'apply';
    // The last line may have been written in part: what is missing of it is told from what is there by content.
    const isWritten = this.#line < this.#last.end || this.#last.endedTurn;
    if (!isWritten) return 'apply';
    return event.type === 'proposal' || event.type === 'question' ? 'answer' : 'skip';
  }
}
