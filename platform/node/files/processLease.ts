import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { toDisposable, type Disposable } from '../../../core/base/disposable.ts';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { isCode } from './fileLock.ts';
import { processStart } from './processStart.ts';

const leaseFile = z.object({
  pid: z.int(),
  /** When that process started, as the system tells it: a reused pid is another process. */
  start: z.string(),
});

/**
 * Takes a lease for this process; it ends with the returned disposable, or with the process. A lease of a process that is
 * gone, or whose pid another process has now, does not block.
 *
 * Each holding is a file `path.N` of its own, and N only grows: whoever finds the newest one free or stale makes the
 * next, which the file system grants to one of them. Nobody ever removes what another may hold.
 *
 * @returns undefined while another living process holds it
 */
export function takeProcessLease(path: string): Disposable | undefined {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const newest = newestNumber(path);
  if (newest !== undefined && isHeld(`${path}.${String(newest)}`)) return undefined;
  const own = `${path}.${String((newest ?? 0) + 1)}`;
  const content = JSON.stringify({ pid: process.pid, start: processStart(process.pid) ?? '' });
  if (!publish(own, content)) return undefined;
  for (const number of numbers(path))
    if (number <= (newest ?? 0)) rmSync(`${path}.${String(number)}`, { force: true });
  return toDisposable(() => replace(own, JSON.stringify({ free: true })));
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

function replace(path: string, content: string): void {
  renameSync(temporaryFile(path, content), path);
}

function temporaryFile(path: string, content: string): string {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  writeFileSync(temporary, content, { flag: 'wx', mode: 0o600 });
  return temporary;
}

/** A file that vanishes meanwhile was cleaned up by the holder of a newer one. */
function isHeld(path: string): boolean {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return true;
    throw error;
  }
  const holder = leaseFile.safeParse(jsonValue(text));
  if (!holder.success) return false;
  const start = processStart(holder.data.pid);
  return start !== undefined && start === holder.data.start;
}
