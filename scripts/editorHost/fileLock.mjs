import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { readProcessTable } from '../process/processTable.mjs';

const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));
/** How long a holder on another machine (or in a container that is gone) is believed; its process cannot be looked at. */
const foreignMs = 20 * 60_000;

const bornOf = pid => readProcessTable().find(row => row.pid === pid)?.born;

function isAlive(holder, file) {
  if (holder.host !== os.hostname())
    return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < foreignMs;
  if (holder.born !== undefined) return bornOf(holder.pid) === holder.born;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function readHolder(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Takes a lock file if it is free or its holder is dead. It appears whole (by a hard link), so nobody reads half a holder.
 *
 * @returns {{ release: () => void } | { holder: number | undefined }} `holder` is the process that has it
 */
export function tryFileLock(file) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ pid: process.pid, born: bornOf(process.pid), host: os.hostname() }));
  try {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const holder = takeOrRead(draft, file);
      if (holder === undefined) return { release: releaseAtExit(file) };
      if (isAlive(holder, file)) return { holder: holder.pid };
      discard(file);
    }
    return { holder: undefined };
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Moves a dead holder's lock away first, so that of two that do this at once neither deletes the other's new one. */
function discard(file) {
  const stale = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, stale);
    rmSync(stale, { force: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/** Undefined when the lock was taken, else who has it. */
function takeOrRead(draft, file) {
  try {
    linkSync(draft, file);
    return undefined;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return readHolder(file) ?? { pid: undefined, host: undefined };
  }
}

function releaseAtExit(file) {
  const release = () => {
    process.off('exit', release);
    rmSync(file, { force: true });
  };
  process.once('exit', release);
  return release;
}

/**
 * Runs `work` while holding a lock file, so that two processes never do it at once.
 *
 * @param {string} file
 * @param {() => Promise<unknown>} work
 * @param {{ onWait?: () => void, deadlineMs?: number }} options `onWait` is called once if somebody else holds it
 */
export async function withFileLock(file, work, { onWait = () => {}, deadlineMs = 15 * 60_000 } = {}) {
  const deadline = performance.now() + deadlineMs;
  let waiting = false;
  let lock = tryFileLock(file);
  while (lock.release === undefined) {
    if (performance.now() > deadline) throw new Error(`Somebody else has held ${file} for too long.`);
    if (!waiting) onWait();
    waiting = true;
    await pause(200);
    lock = tryFileLock(file);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
