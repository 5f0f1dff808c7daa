import type { Block } from '../../core/protocol/block/block.ts';
import type { UserEchoBlock } from '../../core/protocol/block/textBlocks.ts';
import type { CheckpointedState } from './journalCheckpoint.ts';
import type { OutputPlace } from './journalEntry.ts';
import { RecentForms } from './recentForms.ts';
import {
  sessionCheckpoint,
  stateOfCheckpoint,
  toSessionCheckpoint,
  type JournalContent,
  type LastLine,
} from './sessionCheckpoint.ts';
import { emptySessionState, reduceSession, type SessionState } from './sessionState.ts';

/** What a journal holds, as a session goes on with it. */
export interface RestoredSession extends JournalContent {
  /** Takes in what is written from now on. */
  add(block: Block, from?: OutputPlace): void;
}

/** Builds up a session from its blocks, one after the other, or from a checkpoint and those after it. */
export class SessionRestorer implements RestoredSession, CheckpointedState {
  #known = new RecentForms();
  #state: SessionState = emptySessionState;

  #lastLine: RestoredSession['lastLine'];
  #mirroredFrom: OutputPlace | undefined;

  /** Prompts that waited where entries are missing: whether the agent has them cannot be told. */
  #doubtful: ReadonlySet<string> = new Set();

  /** It was wider where entries are missing, which may have made it stricter. */
  #isNarrowed = false;

  get known(): RecentForms {
    return this.#known;
  }

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
    this.#known.add(block);
    // A later word on a prompt says what became of it.
    if (block.type === 'user_echo' && this.#doubtful.has(block.client_msg_id))
      this.#doubtful = new Set([...this.#doubtful].filter(id => id !== block.client_msg_id));
    if (block.type === 'mode_changed') this.#isNarrowed = false;
    if (from !== undefined) this.#lastLine = lineOf(block, from, this.#lastLine);
    if (block.type === 'handoff_state') this.#mirroredFrom = block.state === 'mirroring' ? from : undefined;
    this.#state = reduceSession(this.#state, block);
  }

  /** Those of the prompts that wait which may have been delivered already. */
  get doubtful(): readonly UserEchoBlock[] {
    return this.#state.prompts.waiting.filter(({ client_msg_id }) => this.#doubtful.has(client_msg_id));
  }

  /** Its mode is the strictest since entries were lost, and no block says so yet. */
  get isNarrowed(): boolean {
    return this.#isNarrowed;
  }

  lose(): void {
    if (this.#state.mode !== 'ask') {
      this.#isNarrowed = true;
      this.#state = { ...this.#state, mode: 'ask' };
    }
    const waiting = this.#state.prompts.waiting.map(({ client_msg_id }) => client_msg_id);
    this.#doubtful = new Set([...this.#doubtful, ...waiting]);
  }

  save(): unknown {
    return toSessionCheckpoint(this);
  }

  load(saved: unknown): boolean {
    const parsed = sessionCheckpoint.safeParse(saved);
    if (!parsed.success) return false;
    const { forms, last_line: line, mirrored_from } = parsed.data;
    this.#state = stateOfCheckpoint(parsed.data);
    this.#known = new RecentForms(forms);
    this.#lastLine = line && {
      source: line.source,
      end: line.end,
      endedTurn: line.ended_turn,
      turn: line.turn,
      ts: line.ts,
    };
    this.#mirroredFrom = mirrored_from;
    return true;
  }
}

/** What is written at the end of a process, long after its last line maybe, makes that line neither younger nor an earlier one. */
function lineOf(block: Block, from: OutputPlace, last: LastLine | undefined): LastLine {
  const isLater = last?.source !== from.source || from.end > last.end;
  const line = isLater ? { ...from, ts: block.ts } : last;
  return { ...line, endedTurn: block.type === 'session_end', turn: block.turn_id };
}
