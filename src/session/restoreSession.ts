import type { Block } from '../../core/protocol/block/block.ts';
import type { OutputPlace } from './journal.ts';
import { RecentForms } from './recentForms.ts';
import { emptySessionState, reduceSession, type SessionState } from './sessionState.ts';

/** What a journal holds, as a session goes on with it. */
export interface RestoredSession {
  readonly state: SessionState;
  readonly known: RecentForms;
  /** The last line of the agent's output that is in the journal, and whether it ended a turn. */
  readonly lastLine: (OutputPlace & { readonly endedTurn: boolean }) | undefined;
  /** Where in the agent's own record its present life in a terminal began. */
  readonly mirroredFrom: OutputPlace | undefined;
}

/** Builds up a session from its blocks, one after the other. */
export class SessionRestorer implements RestoredSession {
  readonly known = new RecentForms();
  #state: SessionState = emptySessionState;

  #lastLine: RestoredSession['lastLine'];
  #mirroredFrom: OutputPlace | undefined;

  get lastLine(): RestoredSession['lastLine'] {
    return this.#lastLine;
  }

  get mirroredFrom(): OutputPlace | undefined {
    return this.#mirroredFrom;
  }

  get state(): SessionState {
    return this.#state;
  }

  add(block: Block, from?: OutputPlace): void {
    this.known.add(block);
    if (from !== undefined) this.#lastLine = { ...from, endedTurn: block.type === 'session_end' };
    if (block.type === 'handoff_state') this.#mirroredFrom = block.state === 'mirroring' ? from : undefined;
    this.#state = reduceSession(this.#state, block);
  }
}
