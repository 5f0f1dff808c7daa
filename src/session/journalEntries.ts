import { jsonValue } from '../../core/base/jsonValue.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import { blockId } from '../../core/protocol/ids.ts';
import { lostEntriesText } from './agentText.ts';
import { entrySeq, journalEntry, type JournalEntry } from './journalEntry.ts';
import { journalHeader } from './journalHeader.ts';
import { linesOf, type JournalLine } from './journalLines.ts';

/** No entry is shorter: what a damaged stretch can have held at most follows from its length. */
const minEntryBytes = 48;
/** How an entry begins, and no text in one can: quotes are escaped there. */
const beginning = '{"seq":';
/** Entries before the wanted ones that are read all the same, so that a page has the name for a damage that the page before has. */
export const readBefore = 64;

/** Where reading begins, and what is there. */
export interface EntryRange {
  /** Byte offset. */
  readonly at: number;
  /** The `seq` of the entry that is there. */
  readonly first: number;
  /** The first `seq` that is not in this file, as it is when asked; undefined where only the file itself can say so. */
  readonly until: (() => number) | undefined;
  /** Entries before this `seq` are passed over, unread. */
  readonly wanted: number;
}

export interface ReadEntry extends JournalEntry {
  /** Byte offset of the entry or, of one that is lost, of the damage. */
  readonly at: number;
  /** It cannot be read: an error stands in its place. All that one damage took have one id, so that it is named once. */
  readonly isLost: boolean;
}

/**
 * The entries of a file, in the order of their `seq` and without a gap. A line that cannot be read costs itself and none after
 * it. Whether a later `seq` is to be believed follows from what could not be read before it: a number may be damaged, too.
 *
 * @param file undefined when it is gone
 */
export function* entriesOf(file: number | undefined, range: EntryRange): Generator<ReadEntry, void, void> {
  const { until, wanted } = range;
  let next = range.first;
  let damage: { from: number; entries: number; bytes: number } | undefined;
  let ts = 0;
  let end = range.at;
  for (const line of file === undefined ? [] : linesOf(file, range.at)) {
    end = line.to;
    const isFirstLine = line.from === 0;
    if (isFirstLine && isHeader(line)) continue;
    const entry = readEntry(line, wanted - readBefore);
    const room =
      damage === undefined ? 0 : Math.max(damage.entries, Math.floor(damage.bytes / minEntryBytes));
    const last = Math.min(next + room, until === undefined ? Infinity : until() - 1);
    if (entry === undefined || entry.seq < next || entry.seq > last) {
      damage ??= { from: line.from, entries: 0, bytes: 0 };
      damage.entries += entriesWithin(line);
      damage.bytes += line.to - line.from;
      continue;
    }
    if (entry.block !== undefined) ts = entry.block.ts;
    yield* lostEntries(next, entry.seq, { wanted, ts, at: damage?.from ?? line.from });
    damage = undefined;
    next = entry.seq + 1;
    if (entry.block !== undefined && entry.seq >= wanted)
      yield { ...entry, block: entry.block, at: line.from, isLost: false };
  }
  // A line that ended was an entry once, most likely, and its number may be known elsewhere: it is not given again.
  yield* lostEntries(next, until?.() ?? next + (damage?.entries ?? 0), {
    wanted,
    ts,
    at: damage?.from ?? end,
  });
}

function isHeader({ bytes }: JournalLine): boolean {
  return bytes !== undefined && journalHeader.safeParse(jsonValue(bytes.toString())).success;
}

/** How many entries a line was that cannot be read: more than one when what was between them is damaged. */
function entriesWithin({ bytes, from }: JournalLine): number {
  let count = 0;
  for (let at = bytes?.indexOf(beginning) ?? -1; at >= 0; at = bytes?.indexOf(beginning, at + 1) ?? -1)
    count += 1;
  // The first line was the header.
  return Math.max(count, from === 0 ? 0 : 1);
}

/** @returns an entry without its block when it is before `readFrom` */
function readEntry(
  { bytes }: JournalLine,
  readFrom: number,
): (Omit<JournalEntry, 'block'> & { readonly block?: Block }) | undefined {
  if (bytes === undefined) return undefined;
  const seq = entrySeq(bytes);
  if (seq !== undefined && seq < readFrom) return { seq };
  const parsed = journalEntry.safeParse(jsonValue(bytes.toString()));
  return parsed.success ? parsed.data : undefined;
}

function* lostEntries(
  from: number,
  until: number,
  place: { readonly wanted: number; readonly ts: number; readonly at: number },
): Generator<ReadEntry, void, void> {
  const { wanted, ts, at } = place;
  const id = blockId.parse(`lost_${String(from)}`);
  const message = lostEntriesText(until - from);
  for (let seq = Math.max(from, wanted); seq < until; seq += 1)
    yield { seq, block: { type: 'error', ts, id, code: 'journal_damaged', message }, at, isLost: true };
}
