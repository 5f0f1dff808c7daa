import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

const deadlineMs = 15_000;
const stepMs = 50;

export interface ShownProcess {
  readonly pid: number;
  readonly parent: number;
  readonly args: string;
}

/** What runs on this machine, in the system's own account. */
function shownProcesses(): readonly ShownProcess[] {
  const shown = execFileSync('ps', ['-axww', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' });
  return shown.split('\n').flatMap(line => {
    const [, pid, parent, state = '', args = ''] = /^ *(\d+) +(\d+) +(\S+) +(.*)$/.exec(line) ?? [];
    return pid === undefined || state.startsWith('Z')
      ? []
      : [{ pid: Number(pid), parent: Number(parent), args }];
  });
}

/** A program's keeper, the program, and all that descends from it. */
export function keptFamily(agentPid: number): readonly ShownProcess[] {
  const all = shownProcesses();
  const keeper = all.find(({ pid }) => pid === agentPid)?.parent;
  const family = all.filter(({ pid }) => pid === keeper);
  // Grows while it is gone through.
  for (const { pid } of family) family.push(...all.filter(({ parent }) => parent === pid));
  return family;
}

/** Waits until somebody runs whose command holds a text that nobody else's does. */
export async function untilRuns(text: string): Promise<void> {
  // The program itself: a shell that is about to start it has it in its arguments before.
  await until(`${text} runs`, () => shownProcesses().some(({ args }) => args.startsWith(text)));
}

/** Waits until nobody runs who bears one of these pids, or whose command holds the text. */
export async function untilGone(family: readonly ShownProcess[], text: string): Promise<void> {
  const pids = new Set(family.map(({ pid }) => pid));
  const left = (): readonly ShownProcess[] =>
    shownProcesses().filter(({ pid, args }) => pids.has(pid) || args.includes(text));
  await until('nothing is left', () => left().length === 0, left);
}

async function until(what: string, check: () => boolean, show: () => unknown = () => ''): Promise<void> {
  // The end of somebody else's process is told to nobody.
  for (const deadline = performance.now() + deadlineMs; !check(); await delay(stepMs))
    if (performance.now() > deadline)
      throw new Error(`waited in vain until ${what}: ${JSON.stringify(show())}`);
}
