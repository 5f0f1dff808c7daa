import type { Result } from '../../core/base/result.ts';
import type { AgentStartFailure, OwnMode, RunningAgent } from '../adapters/agent.ts';
import type { ApprovalPorts } from './approval/approvals.ts';
import type { SessionRecordPorts } from './sessionRecord.ts';
import type { TerminalAgent } from './terminalAgent.ts';

/** Terminals that are not ours, in which the conversation may be. */
export interface Elsewhere {
  /** Somebody has it, freshly looked up: nobody else may write. */
  isOwned(): boolean;
  /** Whether something was said there after a time, in Unix milliseconds. Never rejects. */
  hasNews(since: number): Promise<boolean>;
  /**
   * Reads along there, or what was said there when nobody is left.
   *
   * @param since what was said after this time is told, in Unix milliseconds
   */
  follow(since: number): Promise<Result<TerminalAgent, AgentStartFailure>>;
  /**
   * The conversation at which the program of a terminal of ours works now, when that is another one. Never rejects.
   *
   * @returns `taken` when another session has it
   */
  nextOf(terminal: TerminalAgent): Promise<TerminalAgent | 'taken' | undefined>;
}

export interface SessionPorts extends SessionRecordPorts, ApprovalPorts {
  /** A random number in [0, 1). */
  readonly unit: () => number;
  readonly startAgent: () => Promise<Result<RunningAgent, AgentStartFailure>>;
  /** The agent's own modes; none when absent. */
  readonly ownModes?: () => readonly OwnMode[];
  /** Ends what runs under a keeper of another version, which nobody here talks with. */
  readonly endLeft: () => Promise<void>;
  /** The agent has a terminal program of its own. */
  readonly canContinueInTerminal: () => boolean;
  /** @param nativeId undefined for a conversation in which nothing was said yet */
  /** Absent: nobody can tell who has the conversation. */
  readonly elsewhere?: Elsewhere;
  readonly startTerminal: (nativeId?: string) => Promise<Result<TerminalAgent, AgentStartFailure>>;
}
