import type { AgentEvent, AgentLine } from '../agent.ts';
import { Branches, type Branch, type Place } from './branches.ts';
import { isBeginningOf, jumpNote, leftNote } from './branchNotes.ts';
import { chainRecord, type ChainRecord } from './chainRecord.ts';
import type { ClaudeRecord } from './claudeRecord.ts';
import type { History } from './history.ts';
import { ParentsFirst } from './parentsFirst.ts';
import { RecordDecoder } from './recordDecoder.ts';

/** What one record gives. */
export interface ToldRecord {
  readonly events: readonly AgentEvent[];
  /** Offset after its line, in bytes; it may be told later, when its parent is there. */
  readonly end: number;
  /** When it was written, in Unix milliseconds; undefined when it does not say. */
  readonly at: number | undefined;
}

export interface ReadOptions {
  /** What runs without a terminal wrote is told, too. */
  readonly ofAll?: boolean;
  /** Reading begins in the middle of the file. */
  readonly isCut?: boolean;
  /** What was there when reading began: of it, only the branch is told that leads to its end. */
  readonly history?: History | undefined;
}

/**
 * Reads a conversation's file by its lines, and tells it in its own order. What its user went back from, or somebody
 * else went on with, is never mixed into it: each change of the branch is said. What a managed process wrote is passed over
 * unless all is wanted, for it is told already. Holds what is open, what waits for its parent, and places of recent records.
 */
export class ConversationReader {
  readonly #order: ParentsFirst;
  readonly #branches = new Branches();
  readonly #decoder = new RecordDecoder();
  readonly #options: ReadOptions;
  /** The branch that is told. */
  #told: Branch | undefined;
  /** Something of it was passed over. */
  #hasGap = false;
  #writtenAt: number | undefined;

  constructor(options: ReadOptions = {}) {
    this.#options = options;
    this.#order = new ParentsFirst(options.isCut);
  }

  /** Later lines need little of earlier ones: no turn and no call is open, and nothing waits. */
  get isSettled(): boolean {
    return this.#order.isEmpty && this.#decoder.isSettled;
  }

  receive(line: AgentLine): readonly ToldRecord[] {
    const record = chainRecord(line);
    return record === undefined ? [] : this.#tell(this.#order.add(record));
  }

  /** Nothing has followed for a while, or nothing will. */
  quiet(): readonly ToldRecord[] {
    const waited = this.#tell(this.#order.release());
    const events = this.#decoder.quiet();
    return [...waited, ...(events.length === 0 ? [] : [{ events, end: Infinity, at: this.#writtenAt }])];
  }

  #tell(records: readonly ChainRecord[]): readonly ToldRecord[] {
    return records.flatMap(record => {
      const { end, at = this.#writtenAt } = record;
      const events = record.isSidechain ? [] : this.#eventsOf(record, this.#branches.place(record));
      if (record.record !== undefined && !record.isSidechain) this.#writtenAt = at;
      return events.length === 0 ? [] : [{ events, end, at }];
    });
  }

  #eventsOf(chain: ChainRecord, place: Place): readonly AgentEvent[] {
    const { uuid, end, record } = chain;
    const { history } = this.#options;
    const isTold = record !== undefined && this.#isTold(record);
    if (history?.isLeft(place, end) === true) {
      this.#hasGap ||= place.branch === this.#told || isTold;
      return isBeginningOf(uuid, place) && history.leadsTo(place) ? [leftNote(uuid, place)] : [];
    }
    this.#told ??= place.branch;
    if (!isTold) return this.#passOver(uuid, place);
    if (place.branch === this.#told) return this.#decoder.take(record);
    if (!place.isSaid) return record.type === 'user' ? this.#decoder.take(record) : [];
    this.#told = place.branch;
    const left = this.#decoder.leave();
    // A turn may have begun in what was passed over, and was told before it was.
    const unread: readonly AgentEvent[] =
      this.#hasGap && left.length === 0 ? [{ type: 'turn_end', reason: 'interrupted' }] : [];
    this.#hasGap = false;
    return [...left, jumpNote(uuid, place), ...unread, ...this.#decoder.take(record)];
  }

  /** What a managed process wrote. Another branch that begins so is not ours: somebody ran it beside the terminal. */
  #passOver(uuid: string, place: Place): readonly AgentEvent[] {
    return place.branch !== this.#told && isBeginningOf(uuid, place) ? [leftNote(uuid, place)] : [];
  }

  /** Neither of a run without a terminal, unless those are told. */
  #isTold({ entrypoint }: ClaudeRecord): boolean {
    return this.#options.ofAll === true || entrypoint !== 'sdk-cli';
  }
}
