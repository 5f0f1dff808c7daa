import type { LifeCycle } from './lifeCycle.ts';
import type { OwedWrites } from './owedWrites.ts';
import type { PromptDesk } from './promptDesk.ts';
import type { SessionRecord } from './sessionRecord.ts';
import type { TurnRunner } from './turnRunner.ts';

interface EndParts {
  readonly record: SessionRecord;
  readonly life: LifeCycle;
  readonly turns: TurnRunner;
  readonly prompts: PromptDesk;
  readonly owed: OwedWrites;
}

/** How a conversation ends, so that nothing is left of it that looks as if it went on. */
export class ConversationEnd {
  readonly #parts: EndParts;

  constructor(parts: EndParts) {
    this.#parts = parts;
  }

  /** Whoever is told that it ends may rely on it, whatever becomes of this window. */
  write(): void {
    const { record, turns, prompts } = this.#parts;
    turns.withdrawRequests();
    prompts.rejectAll();
    if (!record.state.ended) record.appendEnd();
  }

  /** Nothing of the conversation runs any more. */
  finish(): void {
    const { record, life, turns, owed } = this.#parts;
    life.advance('exit');
    owed.owe(
      () => turns.close('stopped', 'unknown'),
      () => this.write(),
      () => record.announceChange(),
    );
  }
}
