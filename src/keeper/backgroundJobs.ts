import { readFileSync } from 'node:fs';
import { processTable } from './processTable.ts';

/** Names the keeper in the environment of its agent, which everything that the agent starts inherits. */
export const keeperMark = 'TERMINULL_KEEPER';

/**
 * Ends what an agent that has gone left running: `npm run dev &` in a shell that has ended long since, and the shell of a
 * command when the agent went without ending it. Nothing but the environment says whose they are. A program that made itself
 * a session of its own (an editor, say) goes on: that was meant. Linux only; other systems do not tell both.
 *
 * @param id the keeper's id, 16 hex digits
 * @returns how many processes were ended
 */
export function endBackgroundJobs(id: string | undefined): number {
  if (id === undefined || process.platform !== 'linux') return 0;
  const table = new Map(processTable().map(row => [row.pid, row]));
  const isLeft = (session: number): boolean => {
    const leader = table.get(session);
    if (leader === undefined) return true;
    return isMarked(leader.pid, id) && !isMarked(leader.parent, id) && isCommandShell(leader.pid);
  };
  const jobs = [...table.values()].filter(
    ({ pid, session }) => pid !== process.pid && isMarked(pid, id) && isLeft(session),
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
  return stringsOf(pid, 'environ').includes(`${keeperMark}=${id}`);
}

/** Agents run a command as `bash -c '…'`, in a session of its own. */
function isCommandShell(pid: number): boolean {
  const [program = '', ...args] = stringsOf(pid, 'cmdline');
  return /^(?:.*\/)?-?(?:ba|da|fi|k|z)?sh$/.test(program) && args.some(arg => /^-[a-z]*c$/.test(arg));
}

function stringsOf(pid: number, file: 'environ' | 'cmdline'): readonly string[] {
  try {
    return readFileSync(`/proc/${String(pid)}/${file}`, 'latin1').split('\0');
  } catch {
    // It has ended, or is somebody else's.
    return [];
  }
}
