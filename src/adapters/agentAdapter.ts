import type { Result } from '../../core/base/result.ts';
import type { Capabilities } from '../../core/protocol/block/agentBlocks.ts';
import type { AgentId } from '../../core/protocol/ids.ts';
import type {
  AgentContext,
  AgentStartFailure,
  AttachmentRule,
  DetectedAgent,
  OwnMode,
  RunningAgent,
} from './agent.ts';
import type { TerminalSupport } from './terminalSupport.ts';
import type { ExternalSupport } from './external.ts';

/** What an adapter declares. Checked when it is loaded: see `defineAdapter`. */
export interface AgentAdapter {
  readonly agentId: AgentId;
  readonly displayName: string;
  readonly capabilities: Capabilities;
  /** Optional surfaces are declined aloud, never by silence (requirement T71). */
  /** It tells `models`, and `configure` sets one. */
  readonly providesModels: boolean;
  /** It tells `usage` at the end of each turn. */
  readonly providesUsage: boolean;
  /** Files that go with a prompt; none when absent. */
  readonly attachments?: AttachmentRule;
  /** Modes of its own; none when absent. */
  readonly ownModes?: readonly OwnMode[];
  /** `false` for an agent without a terminal program of its own. */
  readonly terminal: TerminalSupport | false;
  /** `false` for an agent whose user’s own conversations cannot be found or read. */
  readonly external: ExternalSupport | false;
  /** @returns undefined when the agent is not on this machine */
  detect(signal: AbortSignal): Promise<DetectedAgent | undefined>;
  start(agent: DetectedAgent, context: AgentContext): Promise<Result<RunningAgent, AgentStartFailure>>;
}
