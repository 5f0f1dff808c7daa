import { setTimeout as delay } from 'node:timers/promises';
import { processStart } from '../../platform/node/files/processStart.ts';
import { killTree } from '../keeper/processTree.ts';

const attempts = 100;
const stepMs = 30;

/**
 * Ends an agent whose keeper is gone, with all that it started, and waits until it is.
 *
 * @param start when that process started, so that another one under its pid is left alone
 */
export async function endOrphan(pid: number, start: string | undefined): Promise<void> {
  if (start === undefined || pid === 0) return;
  for (let attempt = 0; attempt < attempts && processStart(pid) === start; attempt += 1) {
    killTree(pid);
    await delay(stepMs);
  }
}
