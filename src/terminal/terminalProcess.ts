import type { Disposable } from '../../core/base/disposable.ts';
import { Emitter, type Event } from '../../core/base/emitter.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { processStart } from '../../platform/node/files/processStart.ts';
import type {
  LookRequest,
  PageRequest,
  ScreenPage,
  ScreenPicture,
} from '../../core/protocol/screenPicture.ts';
import type { AgentStartFailure } from '../adapters/agent.ts';
import type { HeldAsks } from '../adapters/heldAsks.ts';
import { endOrphan } from './endOrphan.ts';
import type { KeeperClient, KeeperEvents } from './keeperClient.ts';
import type { LookFailure } from './keeperRequests.ts';
import type { PasteRequest, Typed } from './keeperTyping.ts';
import {
  keeperDirectory,
  launchKeeper,
  reattachKeeper,
  type KeeperAddress,
  type KeeperCommand,
  type KeeperLauncherOptions,
  type ReattachFailure,
} from './keeperLauncher.ts';

/** Before anybody shows it (keeper.md). */
const firstSize = { columns: 120, rows: 40 };
/** How long a program may take to end by itself before its group is killed. */
const endGraceMs = 3_000;

/** A program that has a terminal under a keeper. Disposing it lets go; the program goes on. */
export interface TerminalProcess extends Disposable {
  readonly pid: number;
  /** The keeper's own directory: what `keeper attach` shows. */
  readonly directory: string;
  /** Process that shows the terminal; 0 when none does. */
  readonly deskPid: number;
  readonly onDidChangeDesk: Event<number>;
  /** What the program asks through its hooks, and waits for. */
  readonly asks: HeldAsks;
  /** Settles when the program has ended; never once this was disposed. */
  readonly exited: Promise<{ readonly detail: string }>;
  /**
   * What the terminal shows, at once when `after` is absent, else as soon as it is not what it was at that revision. At most
   * ten pictures a second; a later look replaces one that waits.
   */
  look(request: LookRequest, signal: AbortSignal): Promise<Result<ScreenPicture, LookFailure>>;
  /** Lines that have left the screen, at most 200 at a time, of 1,000 that are kept. */
  page(request: PageRequest, signal: AbortSignal): Promise<Result<ScreenPage, LookFailure>>;
  /**
   * Types a text, at most 64 KiB, as one paste that nothing else gets into, and an Enter by itself if asked. In the order of
   * the calls, each whole; it waits for a paste at the desk. Typed is not taken: the agent's own record says that.
   */
  paste(text: string, request: PasteRequest, signal: AbortSignal): Promise<Typed>;
  /** A few keys, at most 1 KiB, as the bytes that a terminal sends for them; in the same order. */
  keys(bytes: Uint8Array, signal: AbortSignal): Promise<Typed>;
  /** Ctrl+C, as whoever sits there presses it (requirement C50). */
  interrupt(): void;
  end(): void;
}

/** Starts a program in a terminal of its own. `address` is how to find it again, also after this process is gone. */
export async function openTerminalProcess(
  options: KeeperLauncherOptions,
  command: Omit<KeeperCommand, 'terminal'>,
  signal: AbortSignal,
  announce?: (address: KeeperAddress) => void,
): Promise<Result<TerminalProcess, AgentStartFailure>> {
  const kept = new KeptTerminal();
  const launched = await launchKeeper(
    options,
    { ...command, terminal: firstSize },
    kept.events,
    signal,
    announce,
  );
  if (!launched.ok) return fail('agent_failed');
  return ok(kept.attach(launched.value.client, launched.value.address));
}

/** Attaches to a program that has been running in its terminal. */
export async function reopenTerminalProcess(
  address: KeeperAddress,
  signal: AbortSignal,
): Promise<Result<TerminalProcess, ReattachFailure>> {
  const kept = new KeptTerminal();
  const attached = await reattachKeeper(address, kept.events, signal);
  return attached.ok ? ok(kept.attach(attached.value, address)) : attached;
}

class KeptTerminal {
  readonly #desk = new Emitter<number>();
  readonly #exited: Promise<{ readonly detail: string }>;
  #settle: (exit: { readonly detail: string }) => void = () => undefined;
  #deskPid = 0;
  #client: KeeperClient | undefined;
  #keeperId: string | undefined;
  #start: string | undefined;
  #isOver = false;
  #isDetached = false;

  constructor() {
    this.#exited = new Promise(resolve => (this.#settle = resolve));
  }

  readonly events: KeeperEvents = {
    // What the terminal shows is for who sits at it; what the agent does is read from its own record.
    output: () => undefined,
    desk: pid => {
      this.#deskPid = pid;
      this.#desk.fire(pid);
    },
    exit: exit => {
      this.#isOver = true;
      this.#client?.end(0);
      this.#finish(exit.signal === null ? `exit code ${String(exit.code)}` : `signal ${exit.signal}`);
    },
    lost: reason => void this.#onLost(reason),
  };

  attach(client: KeeperClient, address: KeeperAddress): TerminalProcess {
    this.#client = client;
    this.#keeperId = address.id;
    // The news of the end can come before we are told that we are attached.
    if (this.#isOver) client.end(0);
    this.#start = processStart(client.welcome.agentPid);
    this.#deskPid = client.welcome.deskPid ?? 0;
    const deskPid = (): number => this.#deskPid;
    return {
      pid: client.welcome.agentPid,
      directory: keeperDirectory(address),
      get deskPid() {
        return deskPid();
      },
      onDidChangeDesk: this.#desk.event,
      asks: client.asks,
      exited: this.#exited,
      look: (request, ended) => client.look(request, ended),
      page: (request, ended) => client.page(request, ended),
      paste: (text, request, ended) => client.paste(text, request, ended),
      keys: (bytes, ended) => client.keys(bytes, ended),
      interrupt: () => client.interrupt(),
      end: () => client.end(endGraceMs),
      dispose: () => {
        this.#isDetached = true;
        this.#desk.dispose();
        client.dispose();
      },
    };
  }

  /** A keeper that is gone keeps nothing: what is left of its program must not go on beside the next one. */
  async #onLost(reason: string): Promise<void> {
    if (this.#isDetached) return;
    if (reason === 'disconnected' && this.#client !== undefined)
      await endOrphan(this.#client.welcome.agentPid, this.#start, this.#keeperId);
    this.#finish(reason === 'replaced' ? 'another window took over' : 'the keeper went away');
  }

  #finish(detail: string): void {
    if (!this.#isDetached) this.#settle({ detail });
  }
}
