import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
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
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      const file = openSync(path, 'wx', 0o600);
      writeSync(file, JSON.stringify({ pid: process.pid, start: processStart(process.pid) ?? '' }));
      closeSync(file);
      return toDisposable(() => rmSync(path, { force: true }));
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
    if (isHeld(path)) return undefined;
    rmSync(path, { force: true });
  }
  return undefined;
}

function isHeld(path: string): boolean {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
  const holder = leaseFile.safeParse(jsonValue(text));
  // Being written at this moment, or damaged: the next look tells.
  if (!holder.success) return text === '';
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
