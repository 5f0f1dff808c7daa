import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { processStart } from '../../platform/node/files/processStart.ts';
import { keeperSpec, keeperTrace } from '../../src/keeper/keeperMessage.ts';

const stepMs = 50;
const deadlineMs = 30_000;

/** One process: its pid alone may come to mean another. */
export interface OneProcess {
  readonly pid: number;
  readonly start: string;
}

/** An agent that a keeper keeps. */
export interface KeptAgent extends OneProcess {
  readonly isInTerminal: boolean;
}

/** The processes whose command line holds all of `words`. */
export function processesOf(...words: string[]): OneProcess[] {
  return readdirSync('/proc').flatMap(name => {
    const pid = Number(name);
    const start = Number.isInteger(pid) ? processStart(pid) : undefined;
    if (start === undefined) return [];
    const line = read(`/proc/${name}/cmdline`) ?? '';
    return words.every(word => line.includes(word)) ? [{ pid, start }] : [];
  });
}

/** The extension hosts of the editor whose data is kept in `folder`: what this test's editor started, and no other. */
export function extensionHosts(folder: string): OneProcess[] {
  return processesOf('--type=extensionHost').filter(({ pid }) =>
    read(`/proc/${String(pid)}/environ`)?.includes(folder),
  );
}

/** @param state Terminull's state folder */
export function keptAgents(state: string): KeptAgent[] {
  const run = join(state, 'run');
  return readdirSync(run).flatMap(id => {
    const trace = keeperTrace.safeParse(jsonValue(read(join(run, id, 'trace.json')) ?? ''));
    const spec = keeperSpec.safeParse(jsonValue(read(join(run, id, 'spec.json')) ?? ''));
    if (!trace.success || !spec.success) return [];
    const { agentPid: pid, agentStart: start } = trace.data;
    return [{ pid, start, isInTerminal: spec.data.terminal !== undefined }];
  });
}

export function isRunning({ pid, start }: OneProcess): boolean {
  return processStart(pid) === start;
}

/** Waits for something that nobody announces. */
export async function until<T>(what: string, check: () => T | undefined | false): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const found = check();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`waited in vain for: ${what}`);
    await delay(stepMs);
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
