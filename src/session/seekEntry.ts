import { fstatSync } from 'node:fs';
import { entrySeq } from './journalEntry.ts';
import { linesOf } from './journalLines.ts';

/** What is read without looking for a nearer place. */
const nearBytes = 262_144;
/** Of one look. Where lines are longer, it finds nothing, and more is read from a place before. */
const lookBytes = 1_048_576;

/** An entry in a file. */
export interface EntryPlace {
  /** Byte offset. */
  readonly at: number;
  /** Its `seq`. */
  readonly first: number;
}

/**
 * An entry of a sealed file from which on `wanted` is soon reached, found in a few looks: a file of before there were several may
 * be of any size. Two entries in a row have to agree, since one number may be damaged.
 *
 * @param file undefined when it is gone
 * @param first of the file's entries
 */
export function seekEntry(file: number | undefined, first: number, wanted: number): EntryPlace {
  let low: EntryPlace = { at: 0, first };
  if (file === undefined) return low;
  let high = fstatSync(file).size;
  while (high - low.at > nearBytes) {
    const middle = Math.floor((low.at + high) / 2);
    const found = firstPairAfter(file, middle, high);
    if (found === undefined || found.first > wanted) high = middle;
    else low = found;
  }
  return low;
}

/** The first of two entries in a row between two offsets. */
function firstPairAfter(file: number, after: number, before: number): EntryPlace | undefined {
  let last: EntryPlace | undefined;
  for (const { bytes, from } of linesOf(file, after, Math.min(before, after + lookBytes))) {
    // Begins in the middle of a line, most likely.
    if (from === after) continue;
    const seq = bytes === undefined ? undefined : entrySeq(bytes);
    if (last !== undefined && seq === last.first + 1) return last;
    last = seq === undefined ? undefined : { at: from, first: seq };
  }
  return undefined;
}
