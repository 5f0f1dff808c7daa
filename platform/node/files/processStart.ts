import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Of every process there is, where the system does not tell when it started. */
export const untoldStart = 'alive';

/**
 * When a process started, in the system's own words; undefined when there is no such process. Equal only for the same
 * process, whatever became of its pid meanwhile.
 *
 * On Windows it is `untoldStart`: Node has no way to ask, and starting a program that has one (PowerShell) takes up to a
 * second each time. So a pid that another process has now is not noticed there by this alone.
 */
export function processStart(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
      // The name in parentheses may hold anything; field 22 counts from after it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? undefined : fields[19];
    } catch {
      return undefined;
    }
  }
  if (process.platform === 'win32') {
    try {
      process.kill(pid, 0);
      return untoldStart;
    } catch {
      return undefined;
    }
  }
  const shown = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return shown.stdout.trim() === '' ? undefined : shown.stdout.trim();
}
