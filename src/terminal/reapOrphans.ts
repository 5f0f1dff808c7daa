import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { processStart } from '../../platform/node/files/processStart.ts';
import { readTrace } from './endKeeper.ts';
import { endOrphan } from './endOrphan.ts';

/** A keeper that has left no trace for so long has died before it could. */
const startMs = 60_000;

/**
 * Ends what keepers left behind that were killed themselves while no window was there to see it: the process group of
 * each one's agent, if the process that bears its pid is still the one that was started.
 *
 * @param now Unix milliseconds
 * @returns how many agents were ended
 */
export async function reapOrphans(runtimeDirectory: string, now: number): Promise<number> {
  let ended = 0;
  for (const entry of readdirSync(runtimeDirectory, { withFileTypes: true })) {
    if (!entry.isDirectory() || !/^[0-9a-f]{16}$/.test(entry.name)) continue;
    const directory = join(runtimeDirectory, entry.name);
    const trace = readTrace(directory);
    if (trace === undefined) {
      if (now - modifiedAt(directory) > startMs) rmSync(directory, { recursive: true, force: true });
      continue;
    }
    if (processStart(trace.keeperPid) === trace.keeperStart) continue;
    // An agent on pipes has ended with its keeper; what its commands left has not.
    if (await endOrphan(trace.agentPid, trace.agentStart, entry.name)) ended += 1;
    rmSync(directory, { recursive: true, force: true });
  }
  return ended;
}

function modifiedAt(directory: string): number {
  return statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
