import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Disposable } from '../../core/base/disposable.ts';

const deadlineMs = 15_000;

/** A program of this folder that runs as a process of its own and talks over the channel that Node gives it. */
export interface ChildProgram extends Disposable {
  readonly pid: number;
  /** The next message; rejects when none comes in time or the program ends. Ask before it can be sent. */
  next(): Promise<unknown>;
  send(message: object): void;
  /** Settles when the process is gone; `dispose` makes it go. */
  readonly gone: Promise<unknown>;
}

/** Such a program ends by itself when its channel closes, so it does not outlive whoever started it. */
export function startChild(
  file: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): ChildProgram {
  const child = fork(join(import.meta.dirname, file), args, { env });
  if (child.pid === undefined) throw new Error(`${file} could not be started`);
  const gone = once(child, 'exit');
  return {
    pid: child.pid,
    gone,
    async next() {
      const late = AbortSignal.timeout(deadlineMs);
      const ended = gone.then(() => Promise.reject(new Error(`${file} ended`)));
      const said: readonly unknown[] = await Promise.race([once(child, 'message', { signal: late }), ended]);
      return said[0];
    },
    send: message => void child.send(message),
    dispose: () => void child.kill('SIGTERM'),
  };
}
