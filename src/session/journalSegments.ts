import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isCode } from '../../platform/node/files/fileLock.ts';
import { syncFolder } from '../../platform/node/files/syncFolder.ts';
import { readJournalHeader, type JournalHeader } from './journalHeader.ts';

/** One of the files that a journal is made of. */
export interface JournalSegment {
  readonly path: string;
  /** The `seq` of its first entry, which its name says: the table of all is there without opening one. */
  readonly first: number;
}

const extension = '.jsonl';
const digits = 16;

/** Holds what comes after the first file of a journal: `s1.jsonl` goes on in `s1.journal/`. */
export function segmentFolder(path: string): string {
  return join(dirname(path), `${basename(path, extension)}.journal`);
}

/** More than any file of a journal holds, also one of before there were segments. */
const maxEntries = 4_000_000;

/**
 * All files of a journal, in order. The first one is there; what is not a segment is not looked at, nor one whose number no
 * journal reaches after the one before: all that is missing between would be counted up as lost.
 */
export function listSegments(path: string): readonly JournalSegment[] {
  const folder = segmentFolder(path);
  const later = namesIn(folder).flatMap(name => {
    const first = /^(\d{16})\.jsonl$/.exec(name)?.[1];
    return first === undefined ? [] : [{ path: join(folder, name), first: Number(first) }];
  });
  const segments: JournalSegment[] = [];
  let last: JournalSegment = { path, first: 1 };
  for (const segment of later.sort((a, b) => a.first - b.first)) {
    if (segment.first <= last.first || segment.first - last.first > maxEntries) continue;
    segments.push(last);
    last = segment;
  }
  return [...segments, last];
}

/**
 * Makes a journal's next file. It gets its name when its first line is on the disk: there is none without, whenever the machine
 * stops.
 *
 * @returns the segment, and its descriptor for reading and writing
 * @throws when the disk is full, say; nothing is left then
 */
export function createSegment(
  path: string,
  first: number,
  header: JournalHeader,
): { readonly segment: JournalSegment; readonly file: number; readonly end: number } {
  const folder = segmentFolder(path);
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) syncFolder(dirname(folder));
  const segment = { path: join(folder, `${String(first).padStart(digits, '0')}${extension}`), first };
  const temporary = `${segment.path}.tmp`;
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx+', 0o600);
  try {
    const line = headerLine(header);
    writeFileSync(file, line);
    fsyncSync(file);
    renameSync(temporary, segment.path);
    syncFolder(folder);
    return { segment, file, end: line.length };
  } catch (error) {
    closeSync(file);
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** What a journal says of itself, in whichever of its files that can be read; undefined when it is none. */
export function findHeader(segments: readonly JournalSegment[]): JournalHeader | undefined {
  for (const { path } of segments) {
    const header = readJournalHeader(path);
    if (header !== undefined) return header;
  }
  return undefined;
}

export function headerLine(header: JournalHeader): Buffer {
  return Buffer.from(`${JSON.stringify(header)}\n`);
}

/** Removes what a process that died left half made. Only for who holds the journal. */
export function removeLeftovers(path: string): void {
  const folder = segmentFolder(path);
  for (const name of namesIn(folder))
    if (/\.tmp$|\.state\.[0-9a-f]{12}$/.test(name)) rmSync(join(folder, name), { force: true });
}

/**
 * Names of files; none when there is no such folder. A link leads to what is somebody else's, and a pipe would be waited for.
 *
 * @throws when it cannot be read: what is in it must not be taken for nothing
 */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap(entry =>
      entry.isFile() ? [entry.name] : [],
    );
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return [];
    throw error;
  }
}
