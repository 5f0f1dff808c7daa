// Every program a script starts is started here, in a process group of its own, so that it can be ended exactly.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { endTree, runMark } from './endTree.mjs';

const guardFile = fileURLToPath(new URL('guard.mjs', import.meta.url));
const tailBytes = 16_384;
/** @type {Map<import('node:child_process').ChildProcess, () => Promise<void>>} */
const running = new Map();
let ending = false;

/** A program ended otherwise than it should have; `tail` holds its last output. */
export class CommandFailed extends Error {
  constructor(what, tail) {
    super(what);
    this.name = 'CommandFailed';
    this.tail = tail.trim();
  }
}

/** Says that the script is being stopped by a signal; callers let it pass. */
export class Stopped extends Error {
  constructor() {
    super('Stopped.');
    this.name = 'Stopped';
  }
}

/** A command as it is told to people: programs and scripts by name, without the folders they are in. */
function shortName(words) {
  return words.map(word => (path.isAbsolute(word) ? path.basename(word) : word)).join(' ');
}

function howEnded(code) {
  const signal = Object.entries(os.constants.signals).find(([, number]) => number === code - 128);
  return signal === undefined ? `ended with exit code ${code}` : `was ended by ${signal[0]}`;
}

function start(command, args, options) {
  if (ending) throw new Stopped();
  const mark = randomUUID();
  const env = { ...(options.env ?? process.env), [runMark]: mark };
  const child = spawn(command, args, {
    ...options,
    env,
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  return { child, mark };
}

/**
 * Runs one program to its end and returns the last 16 KB of what it printed. Throws CommandFailed on any other exit than 0.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, show?: boolean, deadlineMs?: number, graceMs?: number }} options
 *   `show` passes its output through instead of keeping it; `graceMs` is the time it gets to end when it must.
 * @returns {Promise<string>}
 */
export function runCommand(command, args, { env, cwd, show = false, deadlineMs, graceMs = 2000 } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'];
    const { child, mark } = start(command, args, { env, cwd, stdio });
    let tail = '';
    let late = false;
    const keep = chunk => (tail = (tail + chunk).slice(-tailBytes));
    child.stdout?.setEncoding('utf8').on('data', keep);
    child.stderr?.setEncoding('utf8').on('data', keep);
    const end = () => endTree(child.pid, { mark, graceMs });
    running.set(child, end);
    const timer = deadlineMs && setTimeout(() => ((late = true), void end()), deadlineMs);
    const settle = (code, name) => {
      clearTimeout(timer);
      running.delete(child);
      const how = late
        ? `took longer than ${deadlineMs / 1000} s`
        : name
          ? `was ended by ${name}`
          : `ended with ${code}`;
      if (code === 0 && !late) resolve(tail);
      else if (ending) reject(new Stopped());
      else reject(new CommandFailed(`${shortName([command, ...args])} ${how}`, tail));
    };
    child.once('error', error => {
      clearTimeout(timer);
      running.delete(child);
      reject(new CommandFailed(`${command} could not be started: ${error.message}`, tail));
    });
    child.once('close', settle);
  });
}

/**
 * Starts a program that stays. It runs under a guard that ends it, and everything it started, even when this script is killed
 * outright.
 *
 * @returns {{ child: import('node:child_process').ChildProcess, exited: Promise<string>,
 *   stop(options?: { leaveDetached?: boolean }): Promise<void> }} `exited` says in words how it ended;
 *   what detached itself from the program lives on until `stop()` is called without `leaveDetached`.
 */
export function startService(command, args, { env, cwd } = {}) {
  const guarded = [guardFile, command, ...args];
  const { child, mark } = start(process.execPath, guarded, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {});
  const exited = new Promise(resolve => {
    child.once('error', error => resolve(`could not be started: ${error.message}`));
    child.once('exit', (code, name) => resolve(name ? `was ended by ${name}` : howEnded(code)));
  });
  let ended;
  const stop = async ({ leaveDetached = false } = {}) => {
    ended ??= (async () => {
      child.stdin.end(leaveDetached ? 'leave detached\n' : 'end all\n');
      const deadline = new Promise(resolve => setTimeout(resolve, 15_000).unref());
      const outcome = await Promise.race([exited, deadline]);
      if (outcome === undefined) await endTree(child.pid, { mark, leaveDetached, graceMs: 0 });
    })();
    await ended;
    if (leaveDetached) return;
    await endTree(undefined, { mark });
    running.delete(child);
  };
  running.set(child, stop);
  return { child, exited, stop };
}

/** True once this script is ending what it started. */
export const isEnding = () => ending;

/** Ends everything this script started and still runs. */
export async function endAll() {
  ending = true;
  await Promise.all([...running.values()].map(end => end()));
}

/**
 * Makes SIGINT, SIGTERM and SIGHUP end everything this script started, then the script itself with 128 + the signal's number.
 * A second signal while that goes on changes nothing: ending is bounded (about 10 seconds).
 *
 * @param {{ onStop?: (signal: string) => void, cleanUp?: () => Promise<void> }} options `onStop` is called once, first;
 *   `cleanUp` once, after all programs have ended
 */
export function endOnSignals({ onStop = () => {}, cleanUp = async () => {} } = {}) {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => {
      if (ending) return;
      ending = true;
      onStop(name);
      void endAll()
        .then(cleanUp)
        .finally(() => process.exit(128 + os.constants.signals[name]));
    });
  }
}
