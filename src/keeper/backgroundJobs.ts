import { readFileSync } from 'node:fs';
import { processTable } from './processTable.ts';

/** Names the keeper in the environment of its agent, which everything that the agent starts inherits. */
export const keeperMark = 'TERMINULL_KEEPER';

/**
 * Ends what an agent's commands left running in the background: `npm run dev &` in a shell that has ended long since. Nothing
 * but the environment says whose it is. A process that made itself a session of its own (an editor, say) goes on: that was
 * meant. Linux only; other systems do not tell both.
 *
 * @param id the keeper's id, 16 hex digits
 * @returns how many processes were ended
 */
export function endBackgroundJobs(id: string | undefined): number {
  if (id === undefined || process.platform !== 'linux') return 0;
  const table = processTable();
  const living = new Set(table.map(({ pid }) => pid));
  const jobs = table.filter(
    ({ pid, session }) => pid !== process.pid && !living.has(session) && isMarked(pid, id),
  );
  for (const { pid } of jobs) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
  return jobs.length;
}

function isMarked(pid: number, id: string): boolean {
  try {
    return readFileSync(`/proc/${String(pid)}/environ`, 'latin1')
      .split('\0')
      .includes(`${keeperMark}=${id}`);
  } catch {
    // It has ended, or is somebody else's.
    return false;
  }
}
