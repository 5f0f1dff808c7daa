import type { AgentId } from '../../../core/protocol/ids.ts';
import type { ProposedAction } from '../../adapters/agent.ts';
import { classifyTool } from './classifyTool.ts';
import type { FoundPath } from './provenPath.ts';
import type { Risk, SafetyClass } from './safetyClass.ts';
import { toolRisk, worse } from './toolRisk.ts';

/** What an action may do, and how grave that is. */
export interface Assessment {
  readonly safety: SafetyClass;
  readonly risk: Risk;
}

export interface SafetyPorts {
  /** Command lines are for a POSIX shell; elsewhere none is understood. */
  readonly hasPosixShell: boolean;
  /** The user's home folder, where there is one. */
  readonly home?: string;
  /** @returns undefined when nothing is there, or when it cannot be told */
  readonly look: (path: string) => FoundPath | undefined;
}

/**
 * Judges an action here: from the tool and its whole input, never from what is said about it. What the agent, or a server
 * behind it, says of the action makes it stricter, and never milder (requirement M42).
 */
export function assessAction(
  agent: AgentId,
  action: Pick<ProposedAction, 'tool' | 'input' | 'cwd' | 'risk' | 'hint' | 'startsInCwd'>,
  { hasPosixShell, home, look }: SafetyPorts,
): Assessment {
  const { tool, input, cwd, hint } = action;
  const scope = { cwd, startsInCwd: action.startsInCwd === true, home, look };
  const proven = classifyTool(agent, tool, input, scope, hasPosixShell);
  if (hint !== undefined || proven === 'requiresAuthorization')
    return {
      safety: 'requiresAuthorization',
      risk: worse(hint ?? 'low', worse(action.risk, toolRisk(agent, tool))),
    };
  return { safety: proven, risk: 'low' };
}
