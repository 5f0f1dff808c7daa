import { lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Logger } from '../../core/base/logger.ts';
import { isCode } from '../../platform/node/files/fileLock.ts';
import type { JournalHeader } from './journalHeader.ts';
import { findHeader, listSegments } from './journalSegments.ts';

/** A journal on the disk. */
export interface ShelvedJournal {
  readonly path: string;
  readonly header: JournalHeader;
}

/** Looks that one which cannot be read is passed over at most: reading from a broken disk takes long. */
const maxPassedOver = 100;

interface Failing {
  readonly code: string;
  /** Looks until it is tried again. */
  readonly rest: number;
  readonly passOver: number;
}

/** The journals of this machine. One that cannot be read costs nothing but itself, and is named in the log once. */
export class JournalShelf {
  readonly #directory: string;
  readonly #logger: Logger;
  /** A journal never changes its first line, and they are looked at again and again. */
  readonly #headers = new Map<string, JournalHeader>();
  readonly #unreadable = new Set<string>();
  /** What could not be read lately. */
  readonly #failing = new Map<string, Failing>();

  constructor(directory: string, logger: Logger) {
    this.#directory = directory;
    this.#logger = logger;
  }

  /** Those of one folder, the newest first. */
  newest(cwd: string, count: number): readonly ShelvedJournal[] {
    return this.#names()
      .filter(name => name.endsWith('.jsonl'))
      .flatMap(name => this.#look(join(this.#directory, name), cwd))
      .sort((a, b) => b.at - a.at)
      .slice(0, count);
  }

  /**
   * A journal could not be gone on with. Where the system would not let it be read or written (too many open files, no
   * permission, a disk that stutters), nothing is known about it, and it is tried again, more and more seldom; whatever else
   * there was is in the journal, which is left alone from now on.
   */
  setAside(path: string, error: unknown): void {
    const code = systemCode(error);
    if (code !== undefined) {
      this.#failed(path, code);
      return;
    }
    this.#unreadable.add(path);
    const told = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    this.#logger.warn('journal.unreadable', { file: basename(path), code: told });
  }

  /** It is gone on with: should it fail again, that is news. */
  taken(path: string): void {
    this.#failing.delete(path);
  }

  #names(): readonly string[] {
    try {
      const names = readdirSync(this.#directory);
      this.taken(this.#directory);
      return names;
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined) throw error;
      if (!isCode(error, 'ENOENT')) this.#failed(this.#directory, code);
      return [];
    }
  }

  #failed(path: string, code: string): void {
    const before = this.#failing.get(path);
    const passOver = before === undefined ? 0 : Math.min(2 * before.passOver + 1, maxPassedOver);
    this.#failing.set(path, { code, passOver, rest: passOver });
    if (before?.code !== code) this.#logger.warn('journal.not_read', { file: basename(path), code });
  }

  #isPassedOver(path: string): boolean {
    const failing = this.#failing.get(path);
    if (failing === undefined || failing.rest === 0) return false;
    this.#failing.set(path, { ...failing, rest: failing.rest - 1 });
    return true;
  }

  #look(path: string, cwd: string): (ShelvedJournal & { readonly at: number })[] {
    if (this.#unreadable.has(path) || this.#isPassedOver(path)) return [];
    try {
      // A link leads to what is somebody else's, and a pipe would be waited for.
      if (!lstatSync(path).isFile()) throw new Error('no file');
      const segments = listSegments(path);
      const header = this.#headers.get(path) ?? findHeader(segments);
      if (header === undefined) throw new Error('no journal');
      this.#headers.set(path, header);
      // Only the newest file of a journal changes.
      const newest = segments.at(-1)?.path ?? path;
      return header.cwd === cwd ? [{ path, header, at: statSync(newest).mtimeMs }] : [];
    } catch (error) {
      this.setAside(path, error);
      return [];
    }
  }
}

/** Why the system refused; undefined for an error that comes from what was read. */
function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^E(?!RR_)[A-Z0-9]+$/.test(code) ? code : undefined;
}
