import type { InstalledAgent } from '../adapters/adapterRegistry.ts';
import type { RunningAgent } from '../adapters/agent.ts';
import type { AgentStarter } from './agentStarter.ts';
import type { Journal } from './journal.ts';
import type { SessionRestorer } from './restoreSession.ts';
import type { TerminalAgent } from './terminalAgent.ts';

/** Finds the agent that has been running all along, in a terminal or for the bridge. The journal is closed when that throws. */
export async function adoptAgent(
  starter: AgentStarter,
  installed: InstalledAgent,
  { state, mirroredFrom }: SessionRestorer,
  journal: Journal,
): Promise<RunningAgent | TerminalAgent | undefined> {
  const nativeId = state.agent?.native_id;
  try {
    const inTerminal = await starter.adoptTerminal(installed, nativeId, mirroredFrom);
    return inTerminal ?? (await starter.adopt(installed, nativeId));
  } catch (error) {
    journal.dispose();
    throw error;
  }
}
