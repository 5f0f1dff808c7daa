import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Disposable } from '../../core/base/disposable.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import { isCode } from '../../platform/node/files/fileLock.ts';
import { syncFolder } from '../../platform/node/files/syncFolder.ts';
import { keepCheckpoint, type CheckpointedState } from './journalCheckpoint.ts';
import { entriesOf, readBefore, type ReadEntry } from './journalEntries.ts';
import type { JournalEntry, OutputPlace } from './journalEntry.ts';
import type { JournalHeader } from './journalHeader.ts';
import { maxLineBytes } from './journalLines.ts';
import { createSegment, headerLine, type JournalSegment } from './journalSegments.ts';
import { openSegments, type GrowingSegment } from './openSegments.ts';
import { seekEntry, type EntryPlace } from './seekEntry.ts';

export interface JournalOptions {
  /** What is built from the entries: kept whenever a file is sealed, so that opening reads the newest file alone. */
  readonly state?: CheckpointedState;
  /** Bytes, and entries, from which on a file is sealed. */
  readonly segmentBytes?: number;
  readonly segmentEntries?: number;
}

/**
 * The one record of a session: append-only, one JSON line a block, `seq` growing by one. A line is in the file before
 * anybody hears of it, so that a killed process loses nothing; `flush` makes it survive the machine. It is kept in files of
 * bounded size: a full one is sealed and never changes again.
 */
export class Journal implements Disposable {
  readonly header: JournalHeader;
  readonly #path: string;
  readonly #options: JournalOptions;
  /** Sealed ones, then the one that grows. */
  readonly #segments: JournalSegment[];
  #tail: GrowingSegment;
  /** Bytes of the growing file from which on sealing it may work again. */
  #sealAgainAt = 0;
  /** What a failed write left behind could not be removed yet. */
  #isTorn = false;
  #open = true;

  private constructor(
    path: string,
    header: JournalHeader,
    options: JournalOptions,
    segments: readonly JournalSegment[],
    tail: GrowingSegment,
  ) {
    this.#path = path;
    this.header = header;
    this.#options = options;
    this.#segments = [...segments];
    this.#tail = tail;
  }

  /** @throws when the file exists or cannot be made; nothing is left of it then */
  static create(path: string, header: JournalHeader, options: JournalOptions = {}): Journal {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(path, 'wx+', 0o600);
    const line = headerLine(header);
    try {
      writeFileSync(file, line);
      fsyncSync(file);
      syncFolder(dirname(path));
    } catch (error) {
      closeSync(file);
      rmSync(path, { force: true });
      throw error;
    }
    const segment = { path, first: 1 };
    return new Journal(path, header, options, [segment], { segment, file, offsets: [], end: line.length });
  }

  /**
   * Opens a journal and hands its entries to `restore`, in order: all of them, or those after a checkpoint that `options.state`
   * could load. An unfinished line at the end is cut off: it was never acknowledged to anybody.
   *
   * @returns undefined when the file is no journal; else also the bytes that were cut off, and the entries among those read
   *   that were damaged
   */
  static open(
    path: string,
    restore: (entry: JournalEntry) => void,
    options: JournalOptions = {},
  ): { journal: Journal; lostBytes: number; lostEntries: number } | undefined {
    const opened = openSegments(path, restore, options.state);
    if (opened === undefined) return undefined;
    const { header, segments, tail, lostBytes, lostEntries } = opened;
    const journal = new Journal(path, header, options, segments, tail);
    // A journal that was written before there were segments is one large file.
    if (journal.#isFull) journal.#seal();
    return { journal, lostBytes, lostEntries };
  }

  get lastSeq(): number {
    return this.#tail.segment.first + this.#tail.offsets.length - 1;
  }

  /** @returns the entry's `seq`; undefined when it is longer than what is read again, and so was not written */
  append(content: Block, from?: OutputPlace): number | undefined {
    const line = Buffer.from(`${JSON.stringify({ seq: this.lastSeq + 1, block: content, from })}\n`);
    if (line.length > maxLineBytes) return undefined;
    if (this.#isFull) this.#seal();
    this.#write(line);
    this.#tail.offsets.push(this.#tail.end);
    this.#tail.end += line.length;
    return this.lastSeq;
  }

  /** Entries after `seq`, as they were when the iteration reached them. An error stands where one cannot be read. */
  *since(seq: number): Generator<JournalEntry, void, void> {
    let wanted = Math.max(1, seq + 1);
    while (wanted <= this.lastSeq) {
      let isNewer = false;
      for (const entry of this.#read(wanted)) {
        if (!this.#open) return;
        wanted = entry.seq + 1;
        isNewer = true;
        yield {
          seq: entry.seq,
          block: entry.block,
          ...(entry.from === undefined ? {} : { from: entry.from }),
        };
      }
      if (!isNewer) return;
    }
  }

  /** Waits for the disk. Called at turn ends and before an approval is acted on. */
  flush(): void {
    if (this.#open) fsyncSync(this.#tail.file);
  }

  dispose(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#tail.file);
  }

  get #isFull(): boolean {
    const { offsets, end } = this.#tail;
    if (offsets.length === 0 || end < this.#sealAgainAt) return false;
    return end >= this.#segmentBytes || offsets.length >= (this.#options.segmentEntries ?? 8_192);
  }

  get #segmentBytes(): number {
    return this.#options.segmentBytes ?? 4 * 1_048_576;
  }

  /** Goes on in a new file. Where none can be made (a full disk, say), the one there is grows on, and it is tried again later. */
  #seal(): void {
    const { segment: sealed, file, end } = this.#tail;
    try {
      this.#removeTorn();
      fsyncSync(file);
      this.#tail = { ...createSegment(this.#path, this.lastSeq + 1, this.header), offsets: [] };
    } catch {
      this.#sealAgainAt = end + this.#segmentBytes / 8;
      return;
    }
    closeSync(file);
    this.#sealAgainAt = 0;
    const next = this.#tail.segment;
    this.#segments.push(next);
    const { state } = this.#options;
    if (state !== undefined) keepCheckpoint(this.#path, this.header, { sealed, next }, state);
  }

  /** All of it, or nothing: half a line would hide the next one. */
  #write(line: Buffer): void {
    this.#removeTorn();
    const { file, end } = this.#tail;
    this.#isTorn = true;
    try {
      for (let at = 0; at < line.length;) at += writeSync(file, line, at, line.length - at, end + at);
    } catch (error) {
      this.#removeTorn();
      throw error;
    }
    this.#isTorn = false;
  }

  #removeTorn(): void {
    if (this.#isTorn) ftruncateSync(this.#tail.file, this.#tail.end);
    this.#isTorn = false;
  }

  /** The rest of the file that holds `wanted`. With a descriptor of its own: the file may be sealed meanwhile. */
  *#read(wanted: number): Generator<ReadEntry, void, void> {
    const index = this.#segments.findLastIndex(({ first }) => first <= wanted);
    const segment = this.#segments[index];
    if (segment === undefined) return;
    const isTail = segment === this.#tail.segment;
    const until = (): number => this.#segments[index + 1]?.first ?? this.lastSeq + 1;
    const file = openIfThere(segment.path);
    try {
      const place = isTail ? this.#placeInTail(wanted) : seekEntry(file, segment.first, wanted - readBefore);
      yield* entriesOf(file, { ...place, until, wanted });
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  #placeInTail(seq: number): EntryPlace {
    const { segment, offsets, end } = this.#tail;
    let index = seq - segment.first;
    // Entries that one damage took have one place, and are read from its beginning.
    while (index > 0 && offsets[index] === offsets[index - 1]) index -= 1;
    return { at: offsets[index] ?? end, first: segment.first + index };
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
