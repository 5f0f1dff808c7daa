import { randomUUID } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { Disposable } from '../../../core/base/disposable.ts';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { isCode } from './fileLock.ts';
import { processHost, type ProcessHost } from './processHost.ts';
import { processStart, untoldStart } from './processStart.ts';

const leaseFile = z.object({
  pid: z.int(),
  /** When that process started, as the system tells it: a reused pid is another process. */
  start: z.string(),
  /** Where that pid counts. An older holder says nothing of it, and was on this machine. */
  host: z.optional(z.object({ machine: z.string(), boot: z.string(), namespace: z.string() })),
});

/** How often a holder shows that it lives, to those who cannot look. */
const touchMs = 30_000;
/** A holder that nobody here can look at, and that has not shown itself for so long, has lost its lease. */
const unseenMs = 300_000;
/** Between two tries to let go, where the system does not allow it just now. */
const releaseAgainMs = 1_000;

/** The right to write, held by this process. */
export interface ProcessLease extends Disposable {
  /** Fencing token: grows with every holder of this lease. */
  readonly token: number;
  /**
   * Asked before every write. False once another holder came after this one, which can happen to a process that was
   * stopped for long or that nobody could look at; it stays false.
   */
  isCurrent(): boolean;
}

/**
 * Takes a lease for this process; it ends with the returned disposable, or with the process. A lease of a process that is
 * gone, or whose pid another process has now, does not block. One of a process that cannot be looked at from here (another
 * machine or container on the same disk) blocks for as long as it shows itself; so does one on a system that does not tell
 * whether its pid is another process's by now.
 *
 * Each holding is a file `path.N` of its own, and N only grows: whoever finds the newest one free or stale makes the
 * next, which the file system grants to one of them. Nobody ever removes what another may hold, but for one that it
 * has followed: that is how a stale holder learns of it. Who made one and finds a newer one was too slow, and has none.
 *
 * @param host where this process is
 * @returns undefined while another living process holds it, or may
 */
export function takeProcessLease(path: string, host = processHost()): ProcessLease | undefined {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const newest = newestNumber(path);
  if (newest !== undefined && isHeld(`${path}.${String(newest)}`, host)) return undefined;
  const token = (newest ?? 0) + 1;
  const own = `${path}.${String(token)}`;
  const start = processStart(process.pid) ?? '';
  // The id tells this holding from any other under the same number.
  const content = JSON.stringify({ pid: process.pid, start, host, id: randomUUID() });
  if (!publish(own, content)) return undefined;
  // Whoever was slow may have made a file that others have had and left behind meanwhile. Those came after it.
  if (newestNumber(path) !== token) {
    rmSync(own, { force: true });
    return undefined;
  }
  for (const number of numbers(path))
    if (number < token) rmSync(`${path}.${String(number)}`, { force: true });
  return new HeldLease(own, token, content);
}

class HeldLease implements ProcessLease {
  readonly token: number;
  readonly #path: string;
  readonly #content: string;
  readonly #timer: NodeJS.Timeout;
  #isOver = false;

  constructor(path: string, token: number, content: string) {
    this.#path = path;
    this.token = token;
    this.#content = content;
    this.#timer = setInterval(() => this.#touch(), touchMs).unref();
  }

  isCurrent(): boolean {
    if (!this.#isOver && !this.#isThere()) this.#isOver = true;
    return !this.#isOver;
  }

  #isThere(): boolean {
    try {
      return readFileSync(this.#path, 'utf8') === this.#content;
    } catch {
      // Too many open files, say: nobody removes it but for a newer one.
      return existsSync(this.#path);
    }
  }

  dispose(): void {
    clearInterval(this.#timer);
    const wasCurrent = this.isCurrent();
    this.#isOver = true;
    if (wasCurrent) this.#release();
  }

  #release(): void {
    // An empty one is held by nobody. Emptied in place: that needs no room on the disk, and makes no file where another
    // holder has removed ours meanwhile.
    try {
      if (this.#isThere()) empty(this.#path);
    } catch {
      // Too many open files, say. Left as it is, it would be held for as long as this process lives.
      setTimeout(() => this.#release(), releaseAgainMs).unref();
    }
  }

  #touch(): void {
    try {
      const now = new Date();
      utimesSync(this.#path, now, now);
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
      this.#isOver = true;
      clearInterval(this.#timer);
    }
  }
}

function numbers(path: string): readonly number[] {
  const start = `${basename(path)}.`;
  return readdirSync(dirname(path))
    .filter(name => name.startsWith(start) && /^\d+$/.test(name.slice(start.length)))
    .map(name => Number(name.slice(start.length)));
}

function newestNumber(path: string): number | undefined {
  const all = numbers(path);
  return all.length === 0 ? undefined : Math.max(...all);
}

/** Writes a file whole, or not at all when there is one. */
function publish(path: string, content: string): boolean {
  const temporary = temporaryFile(path, content);
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function empty(path: string): void {
  try {
    truncateSync(path);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
}

function temporaryFile(path: string, content: string): string {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    writeFileSync(temporary, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // The disk is full, say: half a file is there.
    rmSync(temporary, { force: true });
    throw error;
  }
  return temporary;
}

/** A file that vanishes meanwhile was cleaned up by the holder of a newer one. */
function isHeld(path: string, host: ProcessHost): boolean {
  let text: string;
  let seen: number;
  try {
    text = readFileSync(path, 'utf8');
    seen = statSync(path).mtimeMs;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return true;
    throw error;
  }
  const holder = leaseFile.safeParse(jsonValue(text));
  if (!holder.success) return false;
  switch (reachOf(holder.data.host, host)) {
    case 'here':
      if (processStart(holder.data.pid) !== holder.data.start) return false;
      return holder.data.start !== untoldStart || fileClock(path) - seen < unseenMs;
    case 'over':
      return false;
    case 'unknown':
      return fileClock(path) - seen < unseenMs;
  }
}

/** Whether its process can be looked at from here. */
function reachOf(holder: ProcessHost | undefined, host: ProcessHost): 'here' | 'over' | 'unknown' {
  if (holder === undefined) return 'here';
  // One run of one system, whatever it is called by now.
  const isThisRun = holder.boot !== '' && holder.boot === host.boot;
  if (!isThisRun && holder.machine !== host.machine) return 'unknown';
  // The machine was started anew since.
  if (holder.boot !== host.boot) return 'over';
  return holder.namespace === host.namespace ? 'here' : 'unknown';
}

/** Unix milliseconds by the clock of the disk, which may be another machine's. */
function fileClock(path: string): number {
  const temporary = temporaryFile(path, '');
  try {
    return statSync(temporary).mtimeMs;
  } finally {
    rmSync(temporary, { force: true });
  }
}
