import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A lock this old was left by a process that died. */
const staleMs = 10_000;
const waitMs = 20;
const attempts = 600;

/**
 * Runs `task` while no other process of this user holds the lock file.
 *
 * @throws when the lock cannot be had within about twelve seconds
 */
export async function withFileLock<T>(path: string, task: () => T): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (tryLock(path)) {
      try {
        return task();
      } finally {
        rmSync(path, { force: true });
      }
    }
    await delay(waitMs);
  }
  throw new Error(`The file ${path} stayed locked.`);
}

/**
 * Takes a lock file, without waiting for it; whoever has it removes it. One that was left by a process that died is put away, and
 * can be had the next time.
 */
export function tryLock(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
  const age = ageMs(path);
  if (age !== undefined && age > staleMs) rmSync(path, { force: true });
  return false;
}

/** How long ago a file was written to, in milliseconds; undefined when it is not there. */
export function ageMs(path: string): number | undefined {
  const status = statSync(path, { throwIfNoEntry: false });
  return status === undefined ? undefined : new Date().getTime() - status.mtimeMs;
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
