import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Logger } from '../../core/base/logger.ts';
import type { JournalHeader } from './journalHeader.ts';
import { findHeader, listSegments } from './journalSegments.ts';

/** A journal on the disk. */
export interface ShelvedJournal {
  readonly path: string;
  readonly header: JournalHeader;
}

/** The journals of this machine. One that cannot be read costs nothing but itself, and is named in the log once. */
export class JournalShelf {
  readonly #directory: string;
  readonly #logger: Logger;
  /** A journal never changes its first line, and they are looked at again and again. */
  readonly #headers = new Map<string, JournalHeader>();
  readonly #unreadable = new Set<string>();

  constructor(directory: string, logger: Logger) {
    this.#directory = directory;
    this.#logger = logger;
  }

  /** Those of one folder, the newest first. */
  newest(cwd: string, count: number): readonly ShelvedJournal[] {
    if (!existsSync(this.#directory)) return [];
    return readdirSync(this.#directory)
      .filter(name => name.endsWith('.jsonl'))
      .flatMap(name => this.#look(join(this.#directory, name), cwd))
      .sort((a, b) => b.at - a.at)
      .slice(0, count);
  }

  /** Leaves a journal alone from now on. */
  setAside(path: string, error: unknown): void {
    this.#unreadable.add(path);
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    this.#logger.warn('journal.unreadable', { file: basename(path), code });
  }

  #look(path: string, cwd: string): (ShelvedJournal & { readonly at: number })[] {
    if (this.#unreadable.has(path)) return [];
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
