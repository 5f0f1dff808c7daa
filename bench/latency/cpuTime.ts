import { readdirSync, readFileSync } from 'node:fs';

const nanosecondsPerMicrosecond = 1000;

/**
 * The processor time of a process so far, all its threads together, in microseconds. Finer than the ticks of /proc/PID/stat.
 *
 * @returns undefined where the system does not tell (it takes Linux)
 */
export function cpuTimeUs(pid: number): number | undefined {
  const folder = `/proc/${String(pid)}/task`;
  try {
    const threads = readdirSync(folder).map(thread => readFileSync(`${folder}/${thread}/schedstat`, 'utf8'));
    return threads.reduce((sum, text) => sum + Number.parseInt(text, 10), 0) / nanosecondsPerMicrosecond;
  } catch {
    return undefined;
  }
}
