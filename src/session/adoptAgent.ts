import type { InstalledAgent } from '../adapters/adapterRegistry.ts';
import type { RunningAgent } from '../adapters/agent.ts';
import type { AgentStarter } from './agentStarter.ts';
import type { SessionRestorer } from './restoreSession.ts';
import type { TerminalAgent } from './terminalAgent.ts';

/** Finds the agent that has been running all along, in a terminal or for the bridge. */
export async function adoptAgent(
  starter: AgentStarter,
  installed: InstalledAgent,
  { state, mirroredFrom }: SessionRestorer,
): Promise<RunningAgent | TerminalAgent | undefined> {
  const nativeId = state.agent?.native_id;
  const inTerminal = await starter.adoptTerminal(installed, nativeId, mirroredFrom);
  return inTerminal ?? (await starter.adopt(installed, nativeId));
}
