import { AsyncQueue } from '../../core/base/asyncQueue.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { processStart } from '../../platform/node/files/processStart.ts';
import type { AgentLine, AgentStartFailure, LineProcess } from '../adapters/agent.ts';
import { endOrphan } from './endOrphan.ts';
import type { KeeperClient, KeeperEvents } from './keeperClient.ts';
import {
  launchKeeper,
  reattachKeeper,
  type KeeperAddress,
  type KeeperCommand,
  type KeeperLauncherOptions,
  type ReattachFailure,
} from './keeperLauncher.ts';
import { LineSplitter } from '../adapters/lineSplitter.ts';

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
  announce?: (address: KeeperAddress) => void,
): Promise<Result<{ readonly process: LineProcess; readonly address: KeeperAddress }, AgentStartFailure>> {
  const reader = new KeeperReader();
  const launched = await launchKeeper(options, command, reader.events, signal, announce);
  if (!launched.ok) return fail('agent_failed');
  const { client, address } = launched.value;
  return ok({ process: reader.attach(client, address.id), address });
}

/** Attaches to a program that has been running under a keeper, and reads on from what the keeper still holds. */
export async function reopenKeeperProcess(
  address: KeeperAddress,
  signal: AbortSignal,
): Promise<Result<LineProcess, ReattachFailure>> {
  const reader = new KeeperReader();
  const attached = await reattachKeeper(address, reader.events, signal);
  return attached.ok ? ok(reader.attach(attached.value, address.id)) : attached;
}

/** Makes lines of a keeper's output, with back-pressure up to the program itself. */
class KeeperReader {
  readonly #splitter = new LineSplitter(maxLineBytes);
  readonly #queue = new AsyncQueue<AgentLine>(queuedLines, () => this.#client?.resume());
  readonly #exited: Promise<ProcessExit>;
  readonly #caughtUp: Promise<void>;
  #settle: (exit: ProcessExit) => void = () => undefined;
  #settleCaughtUp: () => void = () => undefined;
  /** End of the last whole line of what was there already; undefined until all of it has come. */
  #rereadEnd: number | undefined;
  #lastLine = 0;
  #done = 0;
  #received = 0;
  #start: string | undefined;
  #client: KeeperClient | undefined;
  #keeperId: string | undefined;
  #asked = false;
  #isDetached = false;
  #isOver = false;
  #acknowledged = 0;

  constructor() {
    this.#exited = new Promise(resolve => (this.#settle = resolve));
    this.#caughtUp = new Promise(resolve => (this.#settleCaughtUp = resolve));
  }

  readonly events: KeeperEvents = {
    output: (bytes, end) => {
      for (const line of this.#splitter.push(bytes, end)) {
        this.#lastLine = line.end;
        if (!this.#queue.push(line)) this.#client?.pause();
      }
      this.#received = end;
      this.#checkReread();
    },
    exit: exit => {
      this.#isOver = true;
      this.#client?.end(0);
      const how = exit.signal === null ? `exit code ${String(exit.code)}` : `signal ${exit.signal}`;
      this.#finish([how, exit.errorTail.trim()].filter(Boolean).join('\n'));
    },
    lost: reason => void this.#onLost(reason),
  };

  attach(client: KeeperClient, sourceId: string): LineProcess {
    this.#client = client;
    this.#keeperId = sourceId;
    // The news of the end can come before we are told that we are attached.
    if (this.#isOver) client.end(0);
    this.#start = processStart(client.welcome.agentPid);
    this.#acknowledged = client.welcome.heldFrom;
    this.#received = Math.max(this.#received, client.welcome.heldFrom);
    this.#checkReread();
    return {
      pid: client.welcome.agentPid,
      sourceId,
      caughtUp: this.#caughtUp,
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
      // Who asks for the next line has dealt with this one.
      this.#done = line.end;
      this.#checkReread();
      if (line.end - this.#acknowledged > unacknowledgedBytes) this.#acknowledge(client, line.end);
    }
  }

  /** A keeper that is gone keeps nothing: what is left of its agent must not go on beside the next one. */
  async #onLost(reason: string): Promise<void> {
    if (this.#isDetached) return;
    if (reason === 'disconnected' && this.#client !== undefined)
      await endOrphan(this.#client.welcome.agentPid, this.#start, this.#keeperId);
    this.#finish(reason === 'replaced' ? 'another window took over' : 'the keeper went away');
  }

  #checkReread(): void {
    if (this.#client === undefined) return;
    if (this.#rereadEnd === undefined && this.#received >= this.#client.welcome.outputEnd)
      this.#rereadEnd = this.#lastLine;
    if (this.#rereadEnd !== undefined && this.#done >= this.#rereadEnd) this.#settleCaughtUp();
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
    this.#settleCaughtUp();
    this.#queue.close();
  }
}
