import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { toDisposable, type Disposable } from '../../../core/base/disposable.ts';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { isCode } from './fileLock.ts';

const leaseFile = z.object({
  pid: z.int(),
  /** When that process started, as the system tells it: a reused pid is another process. */
  start: z.string(),
});

/**
 * Takes a lease for this process; it ends with the returned disposable, or with the process. A lease of a process that is
 * gone, or whose pid another process has now, does not block.
 *
 * @returns undefined while another living process holds it
 */
export function takeProcessLease(path: string): Disposable | undefined {
  const content = JSON.stringify({
    pid: process.pid,
    start: processStart(process.pid) ?? '',
    nonce: randomUUID(),
  });
  // Published whole: a lease is never seen half written.
  const own = `${path}.${randomUUID()}`;
  writeFileSync(own, content, { flag: 'wx', mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      if (tryLink(own, path)) return toDisposable(() => releaseLease(path, content));
      const present = readIfThere(path);
      if (present === undefined) continue;
      if (isHeld(present)) return undefined;
      takeAway(path, present);
    }
    return undefined;
  } finally {
    rmSync(own, { force: true });
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Moves a stale lease away by its own name; if another process was faster, its lease goes back. */
function takeAway(path: string, stale: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  if (readIfThere(aside) !== stale) tryLink(aside, path);
  rmSync(aside, { force: true });
}

/** Only one's own: it may have been taken over meanwhile. */
function releaseLease(path: string, content: string): void {
  if (readIfThere(path) === content) rmSync(path, { force: true });
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isHeld(text: string): boolean {
  const holder = leaseFile.safeParse(jsonValue(text));
  if (!holder.success) return false;
  const start = processStart(holder.data.pid);
  return start !== undefined && start === holder.data.start;
}

/**
 * When a process started, in the system's own words; undefined when there is no such process. Equal only for the same
 * process, whatever became of its pid meanwhile.
 */
export function processStart(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
      // The name in parentheses may hold anything; field 22 counts from after it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? undefined : fields[19];
    } catch {
      return undefined;
    }
  }
  if (process.platform === 'win32') {
    try {
      process.kill(pid, 0);
      return 'alive';
    } catch {
      return undefined;
    }
  }
  const shown = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return shown.stdout.trim() === '' ? undefined : shown.stdout.trim();
}
