import { spawnSync } from 'node:child_process';

export type GroupSignal = 'SIGINT' | 'SIGHUP' | 'SIGTERM' | 'SIGKILL';

/** What a system does with processes; a test takes the place of another system. */
export interface ProcessSystem {
  readonly platform: NodeJS.Platform;
  signal(pid: number, name: NodeJS.Signals): void;
  run(command: string, args: readonly string[]): void;
}

export const thisSystem: ProcessSystem = {
  platform: process.platform,
  signal: (pid, name) => void process.kill(pid, name),
  run: (command, args) => void spawnSync(command, args, { windowsHide: true }),
};

/** How a program is started that leads a group, and is no part of ours. Windows has no groups, but windows that would flash up. */
export function leaderOptions(platform: NodeJS.Platform): {
  readonly detached: boolean;
  readonly windowsHide: true;
} {
  return { detached: platform !== 'win32', windowsHide: true };
}

/**
 * Signals a process and its group, which bears its pid. A group that is already gone is fine. Windows, which has neither
 * signals nor groups, ends a process with all that descends from it; there is no gentle way, and no interrupt. Unproven there.
 */
export function signalGroup(pid: number, name: GroupSignal, system: ProcessSystem = thisSystem): void {
  if (pid === 0) return;
  if (system.platform === 'win32') {
    if (name !== 'SIGINT') system.run('taskkill', ['/pid', String(pid), '/t', '/f']);
    return;
  }
  try {
    system.signal(-pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
