import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { keeperMark } from './backgroundJobs.ts';
import type { KeeperSpec } from './keeperMessage.ts';
import { leaderOptions, type GroupSignal } from './processGroup.ts';
import { ProcessTree } from './processTree.ts';

/** Bytes of error output kept for the user. */
const errorTailBytes = 8_192;

/** How long output may still arrive after the exit, from a child that left the group. */
const drainMs = 2_000;

/** The agent's process, in a process group of its own. Its end is the end of its children too. */
export class AgentProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #tree: ProcessTree;
  #errorTail = Buffer.alloc(0);
  #ended = false;

  constructor(
    spec: Pick<KeeperSpec, 'argv' | 'cwd' | 'env'>,
    on: {
      readonly output: (bytes: Buffer) => void;
      readonly exit: (code: number | null, signal: string | null) => void;
    },
  ) {
    const [command = '', ...args] = spec.argv;
    this.#child = spawn(command, args, {
      cwd: spec.cwd,
      env: spec.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      ...leaderOptions(process.platform),
    });
    this.#tree = new ProcessTree(this.pid, spec.env[keeperMark]);
    this.#child.stdout.on('data', on.output);
    this.#child.stderr.on('data', (bytes: Buffer) => {
      this.#errorTail = Buffer.concat([this.#errorTail, bytes]).subarray(-errorTailBytes);
    });
    // The agent may end before it has read its input; its exit says what happened.
    this.#child.stdin.on('error', () => undefined);
    const finish = (code: number | null, signal: string | null): void => {
      if (this.#ended) return;
      this.#ended = true;
      on.exit(code, signal);
    };
    this.#child.on('error', error => {
      this.#errorTail = Buffer.from(error.message);
      finish(null, null);
    });
    this.#child.on('exit', (code, signal) => {
      // Children that the agent left behind hold its output open.
      this.#tree.ended();
      setTimeout(() => finish(code, signal), drainMs).unref();
    });
    this.#child.on('close', finish);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get errorTail(): string {
    return this.#errorTail.toString('utf8');
  }

  write(bytes: Buffer): void {
    if (!this.#ended) this.#child.stdin.write(bytes);
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  pause(): void {
    this.#child.stdout.pause();
  }

  resume(): void {
    this.#child.stdout.resume();
  }

  signal(name: GroupSignal): void {
    this.#tree.signal(name);
  }
}
