import { endBackgroundJobs } from './backgroundJobs.ts';
import { processTable, type ProcessRow } from './processTable.ts';
import { signalGroup, thisSystem, type GroupSignal, type ProcessSystem } from './processGroup.ts';

/** Each round stops what the one before it was still starting. */
const rounds = 8;

/**
 * A program, the leader of its group, and all that it started. Agents give their tools sessions of their own, so that the
 * terminal does not reach them; neither does a signal to the agent's group.
 */
export class ProcessTree {
  readonly #root: number;
  readonly #keeperId: string | undefined;
  readonly #started = new Map<number, ProcessRow>();

  /** @param keeperId by which its commands' background jobs are known */
  constructor(root: number, keeperId: string | undefined) {
    this.#root = root;
    this.#keeperId = keeperId;
  }

  signal(name: GroupSignal): void {
    if (name === 'SIGKILL') {
      killTree(this.#root);
      return;
    }
    // Once it has ended, nobody can tell what it had started.
    if (name !== 'SIGINT') for (const row of familyOf(this.#root)) this.#started.set(row.pid, row);
    signalGroup(this.#root, name);
  }

  /** The program has ended: what it left of its group goes, and what it had started when it was told to end. */
  ended(): void {
    signalGroup(this.#root, 'SIGKILL');
    if (this.#started.size > 0)
      for (const { pid, start } of processTable())
        if (this.#started.get(pid)?.start === start) signalProcess(pid, 'SIGKILL');
    endBackgroundJobs(this.#keeperId);
  }
}

/** Kills a program and all that it started. All is stopped first: what is stopped starts nothing more. */
export function killTree(root: number, system: ProcessSystem = thisSystem): void {
  if (root === 0) return;
  if (system.platform === 'win32') {
    signalGroup(root, 'SIGKILL', system);
    return;
  }
  const stopped = new Set<number>();
  for (let round = 0; round < rounds; round += 1) {
    const running = familyOf(root).filter(({ pid }) => !stopped.has(pid));
    if (running.length === 0) break;
    for (const { pid } of running) {
      signalProcess(pid, 'SIGSTOP');
      stopped.add(pid);
    }
  }
  for (const pid of stopped) signalProcess(pid, 'SIGKILL');
  // Where no table can be had, its group at least.
  signalProcess(-root, 'SIGKILL');
}

/**
 * A process with all that descends from it, and all that is in a session or group which one of these leads: a child stays
 * there when its parent has ended.
 */
function familyOf(root: number): readonly ProcessRow[] {
  const family = new Map<number, ProcessRow>();
  const isOfIt = (pid: number): boolean => pid === root || family.has(pid);
  // An agent may have started the very window that ends it.
  const table = processTable().filter(({ pid }) => pid !== process.pid);
  for (let size = -1; size !== family.size;) {
    size = family.size;
    for (const row of table)
      if ([row.pid, row.parent, row.group, row.session].some(isOfIt)) family.set(row.pid, row);
  }
  return [...family.values()];
}

function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile, or runs as somebody else.
  }
}
