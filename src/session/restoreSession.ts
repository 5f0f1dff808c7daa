import type { Block } from '../../core/protocol/block.ts';
import { RecentForms } from './recentForms.ts';
import { emptySessionState, reduceSession, type SessionState } from './sessionState.ts';

/** What a journal holds, as a session goes on with it. */
export interface RestoredSession {
  readonly state: SessionState;
  readonly known: RecentForms;
}

/** Builds up a session from its blocks, one after the other. */
export class SessionRestorer implements RestoredSession {
  readonly known = new RecentForms();
  #state: SessionState = emptySessionState;

  get state(): SessionState {
    return this.#state;
  }

  add(block: Block): void {
    this.known.add(block);
    this.#state = reduceSession(this.#state, block);
  }
}
