import type { ChildProcess } from 'node:child_process';

export interface Service {
  readonly child: ChildProcess;
  readonly exited: Promise<string>;
  stop(options?: { leaveDetached?: boolean }): Promise<void>;
}
export class CommandFailed extends Error {
  constructor(what: string, tail: string);
  readonly tail: string;
}
export function runCommand(
  command: string,
  args: readonly string[],
  options?: { env?: NodeJS.ProcessEnv; cwd?: string; show?: boolean; deadlineMs?: number; graceMs?: number },
): Promise<string>;
export function startService(
  command: string,
  args: readonly string[],
  options?: { env?: NodeJS.ProcessEnv; cwd?: string },
): Service;
export function endAll(): Promise<void>;
export function endOnSignals(options?: {
  onStop?: (signal: string) => void;
  cleanUp?: () => Promise<void>;
}): void;
