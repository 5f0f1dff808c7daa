import type { ChainRecord } from './chainRecord.ts';
import { SeenRecords } from './seenRecords.ts';

/** Records that wait for their parents, at most. */
const heldRecords = 64;
/** And their length together, in UTF-16 units. */
const heldChars = 4 * 1_048_576;
/** How much later a record may be written than one that waits, in milliseconds: both are of one batch. */
const heldMs = 10_000;

/**
 * Puts the records of a conversation into its order: Claude Code writes in batches, and now and then an answer before its
 * prompt. A record waits until its parent was read, as long as that can be expected: many have parents that are nowhere, such
 * as the first ones of a file that is read from its middle. Each record is told once, as it was written first.
 */
export class ParentsFirst {
  readonly #known = new SeenRecords();
  readonly #held = new Map<string, ChainRecord>();
  #isCut: boolean;

  /** @param isCut reading began in the middle, so that the first record has a parent that nobody reads */
  constructor(isCut = false) {
    this.#isCut = isCut;
  }

  /** None waits. */
  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** @returns what comes next in the conversation */
  add(record: ChainRecord): readonly ChainRecord[] {
    if (this.#known.has(record.uuid) || this.#held.has(record.uuid)) return [];
    if (record.isSidechain) return this.#accept(record);
    const isFirstOfRest = this.#isCut;
    this.#isCut = false;
    const { parent } = record;
    const late = this.#giveUp(({ at }) => at !== undefined && (record.at ?? 0) - at > heldMs);
    if (typeof parent !== 'string' || isFirstOfRest || this.#known.has(parent))
      return [...late, ...this.#accept(record)];
    this.#held.set(record.uuid, record);
    return [...late, ...this.#giveUp(() => this.#isFull)];
  }

  /** Nothing has followed for a while, or nothing will. @returns what waited, in the order in which it was written */
  release(): readonly ChainRecord[] {
    return this.#giveUp(() => true);
  }

  get #isFull(): boolean {
    const chars = [...this.#held.values()].reduce((sum, { size }) => sum + size, 0);
    return this.#held.size > heldRecords || chars > heldChars;
  }

  /** Waits no longer for the parent of the one that waits longest, as long as that one is `due`. */
  #giveUp(due: (oldest: ChainRecord) => boolean): readonly ChainRecord[] {
    const released: ChainRecord[] = [];
    for (;;) {
      const oldest = this.#oldest();
      if (oldest === undefined || !due(oldest)) return released;
      this.#held.delete(oldest.uuid);
      released.push(...this.#accept(oldest));
    }
  }

  /** The first of those whose parent does not wait either. */
  #oldest(): ChainRecord | undefined {
    const [first] = this.#held.values();
    let oldest = first;
    // Records that name each other for parents are in no order.
    for (let steps = this.#held.size; steps > 0; steps -= 1) {
      const parent = this.#held.get(oldest?.parent ?? '');
      if (parent === undefined) break;
      oldest = parent;
    }
    return oldest;
  }

  /** Itself, and all that waited for it. */
  #accept(record: ChainRecord): readonly ChainRecord[] {
    const accepted = [record];
    this.#known.add(record.uuid);
    for (const { uuid } of accepted) {
      for (const child of this.#held.values()) {
        if (child.parent !== uuid) continue;
        this.#held.delete(child.uuid);
        this.#known.add(child.uuid);
        accepted.push(child);
      }
    }
    return accepted;
  }
}
