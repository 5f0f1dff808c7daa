import { execFile } from 'node:child_process';
import { familyOf, markedWith, readProcessTable } from './processTable.mjs';

/** The environment variable by which a program's detached descendants are found again. */
export const runMark = 'TERMINULL_RUN';

const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

function signal(target, name) {
  try {
    process.kill(target, name);
  } catch {
    // It is gone already.
  }
}

/** Waits until `alive()` is empty; true when that came about within `milliseconds`. */
async function emptied(alive, milliseconds) {
  const deadline = performance.now() + milliseconds;
  while (alive().length > 0) {
    if (performance.now() > deadline) return false;
    await pause(25);
  }
  return true;
}

/**
 * Ends a process group and all that it started: first politely, then by force.
 *
 * @param {number | undefined} pid leader of the group; undefined when only marked processes are to be ended
 * @param {{ mark?: string, graceMs?: number, leaveDetached?: boolean }} options `mark` is the value of TERMINULL_RUN in the
 *   environment of all it started; `leaveDetached` spares processes that left the group.
 */
export async function endTree(pid, { mark, graceMs = 5000, leaveDetached = false } = {}) {
  if (process.platform === 'win32') {
    if (pid === undefined) return;
    await new Promise(resolve => execFile('taskkill', ['/pid', String(pid), '/t', '/f'], () => resolve()));
    return;
  }
  const sweeps = mark !== undefined && !leaveDetached;
  const grouped = () => readProcessTable().filter(row => pid !== undefined && row.group === pid);
  const family = leaveDetached || pid === undefined ? [] : familyOf(pid, readProcessTable());
  const before = new Map(family.map(row => [row.pid, row.born]));
  const alive = () => {
    const table = readProcessTable();
    const marked = new Set(sweeps ? markedWith(runMark, mark, table) : []);
    return table.filter(
      row => row.pid !== process.pid && (before.get(row.pid) === row.born || marked.has(row)),
    );
  };

  if (grouped().length > 0) {
    signal(-pid, 'SIGTERM');
    if (!(await emptied(grouped, graceMs))) signal(-pid, 'SIGKILL');
  }
  for (const name of ['SIGTERM', 'SIGKILL']) {
    for (const row of alive()) signal(row.pid, name);
    if (await emptied(alive, 2000)) return;
  }
}
