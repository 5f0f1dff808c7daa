import { AsyncQueue } from '../../core/base/asyncQueue.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import type { AgentLine, AgentStartFailure, LineProcess } from '../adapters/agent.ts';
import { KeeperClient, type KeeperEvents } from './keeperClient.ts';
import {
  launchKeeper,
  type KeeperAddress,
  type KeeperCommand,
  type KeeperLauncherOptions,
} from './keeperLauncher.ts';
import { LineSplitter } from './lineSplitter.ts';

const maxLineBytes = 4 * 1_048_576;
const queuedLines = 1_024;
/** How long an agent may take to end by itself before its group is killed. */
const endGraceMs = 3_000;
/**
 * A keeper that holds too much stops its agent. Long before, output is acknowledged without a checkpoint: after a crash
 * the beginning of an unfinished text may then be missing until its final form comes.
 */
const unacknowledgedBytes = 4 * 1_048_576;

interface ProcessExit {
  readonly expected: boolean;
  readonly detail: string;
}

/** Starts a program under a keeper. `address` is how to find it again, also after this process is gone. */
export async function openKeeperProcess(
  options: KeeperLauncherOptions,
  command: KeeperCommand,
  signal: AbortSignal,
): Promise<Result<{ readonly process: LineProcess; readonly address: KeeperAddress }, AgentStartFailure>> {
  const reader = new KeeperReader();
  const launched = await launchKeeper(options, command, reader.events, signal);
  if (!launched.ok) return fail('agent_failed');
  const { client, address } = launched.value;
  return ok({ process: reader.attach(client), address });
}

/** Attaches to a program that has been running under a keeper, and reads on from what the keeper still holds. */
export async function reopenKeeperProcess(
  address: KeeperAddress,
  signal: AbortSignal,
): Promise<Result<LineProcess, 'gone'>> {
  const reader = new KeeperReader();
  const attached = await KeeperClient.attach(address, reader.events, signal);
  return attached.ok ? ok(reader.attach(attached.value)) : fail('gone');
}

/** Makes lines of a keeper's output, with back-pressure up to the program itself. */
class KeeperReader {
  readonly #splitter = new LineSplitter(maxLineBytes);
  readonly #queue = new AsyncQueue<AgentLine>(queuedLines, () => this.#client?.resume());
  readonly #exited: Promise<ProcessExit>;
  #settle: (exit: ProcessExit) => void = () => undefined;
  #client: KeeperClient | undefined;
  #asked = false;
  #isDetached = false;
  #acknowledged = 0;

  constructor() {
    this.#exited = new Promise(resolve => (this.#settle = resolve));
  }

  readonly events: KeeperEvents = {
    output: (bytes, end) => {
      for (const line of this.#splitter.push(bytes, end)) if (!this.#queue.push(line)) this.#client?.pause();
    },
    exit: exit => {
      this.#client?.end(0);
      const how = exit.signal === null ? `exit code ${String(exit.code)}` : `signal ${exit.signal}`;
      this.#finish([how, exit.errorTail.trim()].filter(Boolean).join('\n'));
    },
    lost: () => this.#finish('the keeper went away'),
  };

  attach(client: KeeperClient): LineProcess {
    this.#client = client;
    this.#acknowledged = client.welcome.heldFrom;
    return {
      pid: client.welcome.agentPid,
      lines: this.#lines(client),
      exited: this.#exited,
      writeLine: text => client.write(`${text}\n`),
      acknowledge: offset => this.#acknowledge(client, offset),
      end: () => {
        this.#asked = true;
        client.end(endGraceMs);
      },
      dispose: () => {
        this.#isDetached = true;
        client.dispose();
        this.#queue.close();
      },
    };
  }

  async *#lines(client: KeeperClient): AsyncGenerator<AgentLine, void, void> {
    for await (const line of this.#queue) {
      yield line;
      if (line.end - this.#acknowledged > unacknowledgedBytes) this.#acknowledge(client, line.end);
    }
  }

  #acknowledge(client: KeeperClient, offset: number): void {
    if (offset <= this.#acknowledged) return;
    this.#acknowledged = offset;
    client.acknowledge(offset);
  }

  #finish(detail: string): void {
    // Who let go learns nothing more: the program goes on without us.
    if (this.#isDetached) return;
    this.#settle({ expected: this.#asked, detail });
    this.#queue.close();
  }
}
