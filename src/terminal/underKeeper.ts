import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { processTable, type ProcessRow } from '../keeper/processTable.ts';
import { ancestors } from './ancestors.ts';
import { readTrace } from './endKeeper.ts';

/** What is remembered of processes that were asked about. */
const remembered = 1_024;
/** A keeper leaves its trace right after it has started its program: one that has none by then is not of a keeper. */
const looks = 4;

/** A process, told from a later one with its number. */
interface Process {
  readonly pid: number;
  readonly start: string;
}

/** Tells programs that run under one of our keepers, whichever window started it, from all others. */
export class UnderKeeper {
  readonly #runtimeDirectory: string;
  readonly #table: () => readonly ProcessRow[];
  /** A program stays what it is; its parents may go. */
  readonly #known = new Map<string, boolean>();
  readonly #looks = new Map<string, number>();

  /** @param table the machine's processes */
  constructor(runtimeDirectory: string, table: () => readonly ProcessRow[] = processTable) {
    this.#runtimeDirectory = runtimeDirectory;
    this.#table = table;
  }

  /** A keeper's program, or something that it started. */
  has({ pid, start }: Process): boolean {
    const key = `${String(pid)} ${start}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const isUnder = this.#look(pid);
    const look = (this.#looks.get(key) ?? 0) + 1;
    if (isUnder || look >= looks) {
      this.#looks.delete(key);
      remember(this.#known, key, isUnder);
    } else remember(this.#looks, key, look);
    return isUnder;
  }

  #look(pid: number): boolean {
    const kept = new Set<number>();
    for (const directory of directoriesIn(this.#runtimeDirectory)) {
      const trace = readTrace(directory);
      if (trace !== undefined) kept.add(trace.keeperPid).add(trace.agentPid);
    }
    return ancestors(pid, this.#table()).some(each => kept.has(each));
  }
}

/** None of a folder that is not there: what cleans up temporary files takes an empty one away. */
function directoriesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter(entry => entry.isDirectory()).map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > remembered && oldest !== undefined) map.delete(oldest);
}
