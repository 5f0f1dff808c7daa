import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { fail, type Result } from '../../core/base/result.ts';
import { keeperMark } from '../keeper/backgroundJobs.ts';
import { keeperSpecVersion, type KeeperSpec, type TerminalSize } from '../keeper/keeperMessage.ts';
import { endKeeper } from './endKeeper.ts';
import { keeperSocketPath, type SocketPathFault } from './keeperSocketPath.ts';
import { ownerOnlyDirectory, type DirectoryFault } from './ownerOnlyDirectory.ts';
import { KeeperClient, type KeeperAttachFailure, type KeeperEvents } from './keeperClient.ts';

/** How long a new keeper may take until it listens. */
const startTimeoutMs = 15_000;
const reattachAttempts = 20;
const reattachStepMs = 100;
/** How long one that has been running may take to answer. */
const answerMs = 10_000;

/** A program for a keeper to run. */
export interface KeeperCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Present: it gets a terminal, of this size until somebody shows it. Absent: pipes. */
  readonly terminal?: TerminalSize;
}

export const keeperAddress = z.object({
  id: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  socketPath: z.string().check(z.maxLength(200)),
  token: z.string().check(z.minLength(32), z.maxLength(128)),
  /** The keeper's own folder; where its socket is, when absent. */
  directory: z.optional(z.string().check(z.maxLength(4_096))),
  /** Its program has a terminal. */
  terminal: z.optional(z.boolean()),
});
/** How to find a keeper again. Kept in an owner-only file, since it holds the token. */
export type KeeperAddress = z.infer<typeof keeperAddress>;

export interface KeeperLauncherOptions {
  /** Owner-only, see `runtimeDirectory`. */
  readonly runtimeDirectory: string;
  /** The runtime that runs the keeper, and its bundle. */
  readonly runtime: readonly string[];
  readonly unattendedMs: number;
}

export type KeeperLaunchFailure = KeeperAttachFailure | SocketPathFault | DirectoryFault;

/**
 * Starts a detached keeper for one agent and attaches to it.
 *
 * @param announce told before anything runs: whoever dies meanwhile can still be found by it
 */
export async function launchKeeper(
  options: KeeperLauncherOptions,
  command: KeeperCommand,
  events: KeeperEvents,
  signal: AbortSignal,
  announce: (address: KeeperAddress) => void = () => undefined,
): Promise<Result<{ readonly client: KeeperClient; readonly address: KeeperAddress }, KeeperLaunchFailure>> {
  const id = randomBytes(8).toString('hex');
  const parent = ownerOnlyDirectory(options.runtimeDirectory);
  if (!parent.ok) return parent;
  const directory = join(parent.value, id);
  const found = keeperSocketPath(directory);
  if (!found.ok) return found;
  const socketPath = found.value;
  const spec: KeeperSpec = {
    version: keeperSpecVersion,
    id,
    token: randomBytes(32).toString('base64url'),
    argv: [...command.argv],
    cwd: command.cwd,
    env: { ...command.env, [keeperMark]: id },
    socketPath,
    unattendedMs: options.unattendedMs,
    ...(command.terminal === undefined ? {} : { terminal: command.terminal }),
  };
  const specPath = join(directory, 'spec.json');
  try {
    mkdirSync(directory, { mode: 0o700 });
    writeFileSync(specPath, JSON.stringify(spec), { mode: 0o600 });
  } catch {
    // A full disk, say.
    rmSync(directory, { recursive: true, force: true });
    return fail('unwritable_directory');
  }

  const terminal = command.terminal === undefined ? {} : { terminal: true };
  const address: KeeperAddress = { id, socketPath, token: spec.token, directory, ...terminal };
  announce(address);
  const [runtime = process.execPath, ...runtimeArgs] = options.runtime;
  const child = spawn(runtime, [...runtimeArgs, specPath], {
    // Also on Windows: a keeper must outlive the editor.
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  let failed = false;
  child.on('error', () => (failed = true));
  child.on('exit', () => (failed = true));
  child.unref();

  const deadline = AbortSignal.any([signal, AbortSignal.timeout(startTimeoutMs)]);
  const isFinished = (): boolean => failed || deadline.aborted;
  for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, 200)) {
    const attached = await KeeperClient.attach({ socketPath, token: spec.token }, events, deadline);
    if (attached.ok) return { ok: true, value: { client: attached.value, address } };
    if (attached.code !== 'unreachable' || isFinished()) {
      // Nobody will look for it any more: it may still be starting, and would run its program unseen.
      child.kill('SIGTERM');
      rmSync(directory, { recursive: true, force: true });
      return fail(attached.code);
    }
    await delay(waitMs, undefined, { ref: false });
  }
}

/**
 * Why there is nobody to attach to. `gone`: nothing of it runs any more. `other_version`: it does its work and does not speak
 * with this version; it is left alone.
 */
export type ReattachFailure = 'gone' | 'other_version';

/**
 * Attaches to a keeper that has been running. One that was starting when the editor went may not listen yet. One that does
 * not answer, or not us, is ended with its program: whoever is told `gone` may start another one.
 */
export async function reattachKeeper(
  address: KeeperAddress,
  events: KeeperEvents,
  signal: AbortSignal,
): Promise<Result<KeeperClient, ReattachFailure>> {
  const directory = keeperDirectory(address);
  // Whoever listens there is told the token.
  if (existsSync(directory) && !ownerOnlyDirectory(directory).ok) return fail('gone');
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  for (let attempt = 0; ; attempt += 1) {
    const attached = await KeeperClient.attach(address, events, deadline);
    if (attached.ok) return attached;
    // Who is going leaves everything as it is.
    if (signal.aborted || !existsSync(directory)) return fail('gone');
    if (attached.code === 'incompatible_version') return fail('other_version');
    if (attached.code !== 'unreachable' || attempt >= reattachAttempts || deadline.aborted) {
      await endKeeper(directory);
      return fail('gone');
    }
    await delay(reattachStepMs, undefined, { ref: false });
  }
}

export function keeperDirectory({ directory, socketPath }: KeeperAddress): string {
  return directory ?? dirname(socketPath);
}
