import { fail, ok, type Result } from '../../core/base/result.ts';
import type { InstalledAgent } from '../adapters/adapterRegistry.ts';
import type {
  AgentCommand,
  AgentStartFailure,
  ChosenSettings,
  LineProcess,
  RunningAgent,
} from '../adapters/agent.ts';
import type { TerminalPrompts, TerminalSupport } from '../adapters/terminalSupport.ts';
import type { KeeperAddress, ReattachFailure } from '../terminal/keeperLauncher.ts';
import type { TerminalProcess } from '../terminal/terminalProcess.ts';
import type { OutputPlace } from './journalEntry.ts';
import type { ForeignConversations } from './foreignConversations.ts';
import type { KeeperFile } from './keeperFile.ts';
import { TerminalAgent } from './terminalAgent.ts';

/** Programs under keepers, as a port. */
export interface KeeperPort {
  /** @param announce told before anything runs, so that a program can be found whatever dies meanwhile */
  open(
    command: AgentCommand,
    cwd: string,
    announce: (address: KeeperAddress) => void,
  ): Promise<Result<{ readonly process: LineProcess; readonly address: KeeperAddress }, AgentStartFailure>>;
  /** Attaches to one that has been running. */
  reopen(address: KeeperAddress): Promise<Result<LineProcess, ReattachFailure>>;
  openTerminal(
    command: AgentCommand,
    cwd: string,
    announce: (address: KeeperAddress) => void,
  ): Promise<Result<TerminalProcess, AgentStartFailure>>;
  reopenTerminal(address: KeeperAddress): Promise<Result<TerminalProcess, ReattachFailure>>;
  /** Ends one that does not speak this version, with its program. */
  endOtherVersion(address: KeeperAddress): Promise<void>;
}

/** What a restart finds of an agent: itself, nothing, or one that runs under another version's keeper and is left alone. */
export type FoundAgent = RunningAgent | TerminalAgent | 'other_version' | undefined;

/** Starts one session's agent, and finds a running one again after a restart of the editor. */
export class AgentStarter {
  readonly #keepers: KeeperPort;
  readonly #file: KeeperFile;
  readonly #cwd: string;
  readonly #foreign: ForeignConversations;

  constructor(keepers: KeeperPort, file: KeeperFile, cwd: string, foreign: ForeignConversations) {
    this.#keepers = keepers;
    this.#file = file;
    this.#cwd = cwd;
    this.#foreign = foreign;
  }

  /** @param resume the agent's own id of the conversation, if it has one already */
  async start(
    agent: InstalledAgent,
    resume: string | undefined,
    { settings, fork }: { readonly settings: ChosenSettings; readonly fork: boolean },
  ): Promise<Result<RunningAgent, AgentStartFailure>> {
    if ((await this.#endForgotten()) === 'other_version') return fail('other_version');
    return agent.adapter.start(agent.detected, {
      cwd: this.#cwd,
      resume,
      settings,
      ...(fork ? { fork } : {}),
      isAdopted: false,
      openProcess: async command => {
        const opened = await this.#keepers.open(command, this.#cwd, address => this.#file.write(address));
        if (!opened.ok) {
          this.#file.remove();
          return opened;
        }
        return ok(this.#forgetAtExit(opened.value.process));
      },
    });
  }

  /**
   * Starts the agent's own program for this conversation in a terminal.
   *
   * @param nativeId undefined for a conversation in which nothing was said yet
   */
  async startTerminal(
    { adapter, detected }: InstalledAgent,
    nativeId: string | undefined,
  ): Promise<Result<TerminalAgent, AgentStartFailure>> {
    if (adapter.terminal === false) return fail('agent_failed');
    if ((await this.#endForgotten()) === 'other_version') return fail('other_version');
    const id = nativeId ?? adapter.terminal.newId();
    const command = adapter.terminal.command(detected, { id, isNew: nativeId === undefined });
    const record = adapter.terminal.openRecord(detected, id);
    // Read before it starts: what is there already is in the journal.
    const from = record.end;
    const opened = await this.#keepers.openTerminal(command, this.#cwd, address => this.#file.write(address));
    if (!opened.ok) {
      this.#file.remove();
      return opened;
    }
    const prompts = this.#promptsOf(adapter.terminal, id, opened.value);
    return ok(new TerminalAgent(this.#forgetAtExit(opened.value), { record, nativeId: id, from, prompts }));
  }

  /** Follows the same program to another conversation. @returns undefined when its record cannot be read */
  async nextTerminal(
    { adapter, detected }: InstalledAgent,
    { process, nativeId: earlier }: TerminalAgent,
    nativeId: string,
  ): Promise<TerminalAgent | undefined> {
    if (adapter.terminal === false || process === undefined) return undefined;
    const record = adapter.terminal.openRecord(detected, nativeId);
    const from = earlier === undefined ? 0 : ((await adapter.terminal.copiedFrom?.(earlier, nativeId)) ?? 0);
    const prompts = this.#promptsOf(adapter.terminal, nativeId, process);
    return new TerminalAgent(process, { record, nativeId, from, prompts });
  }

  /**
   * Finds the agent that has been running all along, in a terminal or for the bridge.
   *
   * @param from where its life in the terminal began, as the journal says; undefined when it had not begun
   */
  async find(
    agent: InstalledAgent,
    nativeId: string | undefined,
    from: OutputPlace | undefined,
  ): Promise<FoundAgent> {
    return (await this.#adoptTerminal(agent, nativeId, from)) ?? (await this.#adopt(agent, nativeId));
  }

  async #adoptTerminal(
    { adapter, detected }: InstalledAgent,
    nativeId: string | undefined,
    from: OutputPlace | undefined,
  ): Promise<TerminalAgent | 'other_version' | undefined> {
    const address = this.#file.read();
    // The bridge's own agent runs: it was started after the terminal's program had ended.
    if (address !== undefined && address.terminal !== true) return undefined;
    const isTerminal = address !== undefined;
    const reopened = isTerminal ? await this.#keepers.reopenTerminal(address) : undefined;
    if (reopened?.ok === false && reopened.code === 'other_version') return 'other_version';
    const process = reopened?.ok === true ? this.#forgetAtExit(reopened.value) : undefined;
    if (isTerminal && process === undefined) this.#file.remove();
    if (nativeId !== undefined && from !== undefined) {
      // In a terminal that is not ours somebody may be there still.
      const foreign =
        process === undefined ? this.#foreign.followFrom(adapter, nativeId, from.end) : undefined;
      if (foreign !== undefined) return foreign;
      if (adapter.terminal !== false) {
        const record = adapter.terminal.openRecord(detected, nativeId);
        const prompts = process && this.#promptsOf(adapter.terminal, nativeId, process);
        // Its program had gone to another conversation, and the editor went before more than its id was written.
        const begins = from.source === record.sourceId ? from.end : 0;
        return new TerminalAgent(process, { record, nativeId, from: begins, prompts });
      }
    }
    // It was on its way there when the editor went, and nobody has seen it.
    process?.end();
    await process?.exited;
    return undefined;
  }

  async #adopt(
    agent: InstalledAgent,
    resume: string | undefined,
  ): Promise<RunningAgent | 'other_version' | undefined> {
    const address = this.#file.read();
    const reopened =
      address === undefined || address.terminal === true ? undefined : await this.#keepers.reopen(address);
    if (reopened?.ok === false && reopened.code === 'other_version') return 'other_version';
    if (reopened?.ok !== true) {
      this.#file.remove();
      return undefined;
    }
    const process = this.#forgetAtExit(reopened.value);
    const adopted = await agent.adapter.start(agent.detected, {
      cwd: this.#cwd,
      resume,
      settings: {},
      isAdopted: true,
      openProcess: () => Promise.resolve(ok(process)),
    });
    if (adopted.ok) return adopted.value;
    process.end();
    return undefined;
  }

  /** Ends what is left of a conversation that has ended: the editor went before its agent did. */
  async endLeft(): Promise<void> {
    const left = await this.#reopenLeft();
    if (left === undefined) return;
    if ('token' in left) {
      await this.#keepers.endOtherVersion(left);
      this.#file.remove();
    } else end(left);
  }

  /** Before another is started: what may run still must not go on beside it. */
  async #endForgotten(): Promise<'other_version' | undefined> {
    const left = await this.#reopenLeft();
    if (left === undefined) return undefined;
    if ('token' in left) return 'other_version';
    end(left);
    await left.exited;
    return undefined;
  }

  /** @returns what runs under the keeper that the file names; its address when that is of another version */
  async #reopenLeft(): Promise<LineProcess | TerminalProcess | KeeperAddress | undefined> {
    const address = this.#file.read();
    if (address === undefined) return undefined;
    const reopened =
      address.terminal === true
        ? await this.#keepers.reopenTerminal(address)
        : await this.#keepers.reopen(address);
    if (reopened.ok) return this.#forgetAtExit(reopened.value);
    if (reopened.code === 'other_version') return address;
    this.#file.remove();
    return undefined;
  }

  #promptsOf(
    support: TerminalSupport,
    nativeId: string,
    { pid, asks }: TerminalProcess,
  ): TerminalPrompts | undefined {
    return support.prompts?.({ nativeId, cwd: this.#cwd, pid, asks });
  }

  #forgetAtExit<P extends LineProcess | TerminalProcess>(process: P): P {
    void process.exited.then(() => this.#file.remove());
    return process;
  }
}

function end(process: LineProcess | TerminalProcess): void {
  process.end();
  // Its end is told after all that it said, which nobody reads any more.
  if ('lines' in process) void drain(process.lines);
}

async function drain(lines: LineProcess['lines']): Promise<void> {
  const reader = lines[Symbol.asyncIterator]();
  while ((await reader.next()).done !== true);
}
