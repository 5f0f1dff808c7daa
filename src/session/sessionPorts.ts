import type { Result } from '../../core/base/result.ts';
import type { AgentStartFailure, RunningAgent } from '../adapters/agent.ts';
import type { ApprovalPorts } from './approval/approvals.ts';
import type { SessionRecordPorts } from './sessionRecord.ts';
import type { TerminalAgent } from './terminalAgent.ts';

export interface SessionPorts extends SessionRecordPorts, ApprovalPorts {
  /** A random number in [0, 1). */
  readonly unit: () => number;
  readonly startAgent: () => Promise<Result<RunningAgent, AgentStartFailure>>;
  /** The agent has a terminal program of its own. */
  readonly canContinueInTerminal: () => boolean;
  /** @param nativeId undefined for a conversation in which nothing was said yet */
  readonly startTerminal: (nativeId: string | undefined) => Promise<Result<TerminalAgent, AgentStartFailure>>;
}
