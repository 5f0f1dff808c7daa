import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { keepCheckpoint, loadCheckpoint, type CheckpointedState } from './journalCheckpoint.ts';
import { entriesOf } from './journalEntries.ts';
import type { JournalEntry } from './journalEntry.ts';
import type { JournalHeader } from './journalHeader.ts';
import {
  findHeader,
  headerLine,
  listSegments,
  removeLeftovers,
  type JournalSegment,
} from './journalSegments.ts';

const readBytes = 65_536;

/** The file of a journal that is written to. */
export interface GrowingSegment {
  readonly segment: JournalSegment;
  readonly file: number;
  /** Byte offset of each entry, by its distance from the first. Bounded by the entries of a segment. */
  readonly offsets: number[];
  /** Byte offset of the next entry. */
  end: number;
}

export interface OpenedSegments {
  readonly header: JournalHeader;
  readonly segments: readonly JournalSegment[];
  readonly tail: GrowingSegment;
  readonly lostBytes: number;
  readonly lostEntries: number;
}

/** Reads a journal from its newest checkpoint, or else from its beginning, and mends its end. For who holds the journal. */
export function openSegments(
  path: string,
  restore: (entry: JournalEntry) => void,
  state: CheckpointedState | undefined,
): OpenedSegments | undefined {
  removeLeftovers(path);
  const segments = listSegments(path);
  const header = findHeader(segments);
  const last = segments.at(-1);
  if (header === undefined || last === undefined) return undefined;
  let lostEntries = 0;
  const read = (file: number, first: number, until: number | undefined): readonly number[] => {
    const offsets: number[] = [];
    for (const { at, isLost, ...entry } of entriesOf(file, {
      at: 0,
      first,
      until: until === undefined ? undefined : () => until,
      wanted: first,
    })) {
      if (until === undefined) offsets.push(at);
      if (!isLost) {
        restore(entry);
        continue;
      }
      lostEntries += 1;
      state?.lose();
    }
    return offsets;
  };
  const start = state === undefined ? 0 : newestLoaded(path, header, segments, state);
  for (const [index, sealed] of segments.entries()) {
    const next = segments[index + 1];
    if (index < start || next === undefined) continue;
    const file = openSync(sealed.path, 'r');
    try {
      read(file, sealed.first, next.first);
    } finally {
      closeSync(file);
    }
    if (state !== undefined && next === last) keepCheckpoint(path, header, { sealed, next }, state);
  }
  const file = openSync(last.path, 'r+');
  try {
    const { end, lostBytes } = mendEnd(file, header);
    const offsets = [...read(file, last.first, undefined)];
    return { header, segments, tail: { segment: last, file, offsets, end }, lostBytes, lostEntries };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** @returns index of the first segment that is still to be read */
function newestLoaded(
  path: string,
  header: JournalHeader,
  segments: readonly JournalSegment[],
  state: CheckpointedState,
): number {
  for (let index = segments.length - 1; index > 0; index -= 1) {
    const [sealed, next] = [segments[index - 1], segments[index]];
    if (sealed === undefined || next === undefined) continue;
    if (loadCheckpoint(path, header, { sealed, next }, state)) return index;
  }
  return 0;
}

/** Cuts off what no newline ends. A file without anything gets its first line again. */
function mendEnd(file: number, header: JournalHeader): { readonly end: number; readonly lostBytes: number } {
  const { size } = fstatSync(file);
  const end = lastLineEnd(file, size);
  if (end < size) ftruncateSync(file, end);
  return { end: end > 0 ? end : writeSync(file, headerLine(header), 0, null, 0), lostBytes: size - end };
}

function lastLineEnd(file: number, size: number): number {
  const chunk = Buffer.allocUnsafe(readBytes);
  for (let end = size; end > 0;) {
    const from = Math.max(0, end - readBytes);
    const newline = chunk.subarray(0, readSync(file, chunk, 0, end - from, from)).lastIndexOf(0x0a);
    if (newline >= 0) return from + newline + 1;
    end = from;
  }
  return 0;
}
