import { setTimeout as delay } from 'node:timers/promises';
import { processStart } from '../../platform/node/files/processStart.ts';
import { endBackgroundJobs } from '../keeper/backgroundJobs.ts';
import { killTree } from '../keeper/processTree.ts';

const attempts = 100;
const stepMs = 30;

/**
 * Ends an agent whose keeper is gone, with all that it started, and waits until it is.
 *
 * @param start when that process started, so that another one under its pid is left alone
 * @param keeperId by which its commands' background jobs are known; undefined when there are none
 * @returns whether anything was still there
 */
export async function endOrphan(pid: number, start: string | undefined, keeperId?: string): Promise<boolean> {
  let found = false;
  for (
    let attempt = 0;
    start !== undefined && pid !== 0 && attempt < attempts && processStart(pid) === start;
    attempt += 1
  ) {
    found = true;
    killTree(pid);
    await delay(stepMs);
  }
  return endBackgroundJobs(keeperId) > 0 || found;
}
