import { ok, type Result } from '../../core/base/result.ts';
import type { InstalledAgent } from '../adapters/adapterRegistry.ts';
import type { AgentCommand, AgentStartFailure, LineProcess, RunningAgent } from '../adapters/agent.ts';
import type { KeeperAddress } from '../terminal/keeperLauncher.ts';
import type { KeeperFile } from './keeperFile.ts';

/** Programs under keepers, as a port. */
export interface KeeperPort {
  /** @param announce told before anything runs, so that a program can be found whatever dies meanwhile */
  open(
    command: AgentCommand,
    cwd: string,
    announce: (address: KeeperAddress) => void,
  ): Promise<Result<{ readonly process: LineProcess; readonly address: KeeperAddress }, AgentStartFailure>>;
  /** Attaches to one that has been running. */
  reopen(address: KeeperAddress): Promise<Result<LineProcess, 'gone'>>;
}

/** Starts one session's agent, and finds a running one again after a restart of the editor. */
export class AgentStarter {
  readonly #keepers: KeeperPort;
  readonly #file: KeeperFile;
  readonly #cwd: string;

  constructor(keepers: KeeperPort, file: KeeperFile, cwd: string) {
    this.#keepers = keepers;
    this.#file = file;
    this.#cwd = cwd;
  }

  /** @param resume the agent's own id of the conversation, if it has one already */
  start(agent: InstalledAgent, resume: string | undefined): Promise<Result<RunningAgent, AgentStartFailure>> {
    return agent.adapter.start(agent.detected, {
      cwd: this.#cwd,
      resume,
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

  /** @returns undefined when no agent has been running all along */
  async adopt(agent: InstalledAgent, resume: string | undefined): Promise<RunningAgent | undefined> {
    const address = this.#file.read();
    const reopened = address === undefined ? undefined : await this.#keepers.reopen(address);
    if (reopened?.ok !== true) {
      this.#file.remove();
      return undefined;
    }
    const process = this.#forgetAtExit(reopened.value);
    const adopted = await agent.adapter.start(agent.detected, {
      cwd: this.#cwd,
      resume,
      isAdopted: true,
      openProcess: () => Promise.resolve(ok(process)),
    });
    if (adopted.ok) return adopted.value;
    process.end();
    return undefined;
  }

  #forgetAtExit(process: LineProcess): LineProcess {
    void process.exited.then(() => this.#file.remove());
    return process;
  }
}
