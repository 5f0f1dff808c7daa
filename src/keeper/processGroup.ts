import { spawnSync } from 'node:child_process';

export type GroupSignal = 'SIGINT' | 'SIGHUP' | 'SIGTERM' | 'SIGKILL';

/** Signals a process and its group, which bears its pid. A group that is already gone is fine. */
export function signalGroup(pid: number, name: GroupSignal): void {
  if (pid === 0) return;
  if (process.platform === 'win32') {
    if (name !== 'SIGINT') spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
