import type { AgentCommand } from '../adapters/agent.ts';
import type { KeeperPort } from '../session/agentStarter.ts';
import { endKeeper } from '../terminal/endKeeper.ts';
import {
  keeperDirectory,
  type KeeperCommand,
  type KeeperLauncherOptions,
} from '../terminal/keeperLauncher.ts';
import { openKeeperProcess, reopenKeeperProcess } from '../terminal/keeperProcess.ts';
import { openTerminalProcess, reopenTerminalProcess } from '../terminal/terminalProcess.ts';
import { agentEnvironment } from './agentEnvironment.ts';

/** Programs under keepers, with the user's environment. `ended` aborts what is still starting. */
export function createKeeperPort(options: KeeperLauncherOptions, ended: AbortSignal): KeeperPort {
  const inWorkspace = ({ argv, env }: AgentCommand, cwd: string): KeeperCommand => ({
    argv,
    cwd,
    env: { ...agentEnvironment(process.env), ...env },
  });
  return {
    open: (command, cwd, announce) => openKeeperProcess(options, inWorkspace(command, cwd), ended, announce),
    reopen: address => reopenKeeperProcess(address, ended),
    openTerminal: (command, cwd, announce) =>
      openTerminalProcess(options, inWorkspace(command, cwd), ended, announce),
    reopenTerminal: address => reopenTerminalProcess(address, ended),
    endOtherVersion: address => endKeeper(keeperDirectory(address)),
  };
}
