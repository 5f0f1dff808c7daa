import { randomUUID } from 'node:crypto';
import type { TerminalSupport } from '../agent.ts';
import type { Environment } from './conversationFile.ts';
import { openClaudeRecord } from './conversationRecord.ts';

/**
 * Claude Code's own terminal program, as its user would start it: with the user's settings, permission mode and background
 * tasks, since the user sits before it. Both versions append to the same file when a conversation is resumed.
 *
 * @param env on top of the user's environment, for every process of Claude Code
 * @param userEnv the user's environment
 */
export function claudeTerminal(env: Readonly<Record<string, string>>, userEnv: Environment): TerminalSupport {
  return {
    newId: () => randomUUID(),
    command(agent, { id, isNew }) {
      return {
        argv: [...agent.command.argv, isNew ? '--session-id' : '--resume', id],
        // Claude Code hands this on to its children. An editor that was started by one would make this terminal's records
        // look as if they came from a managed run.
        env: { CLAUDE_CODE_ENTRYPOINT: 'cli', ...env },
      };
    },
    openRecord: (_agent, nativeId) => openClaudeRecord(nativeId, { ...userEnv, ...env }),
  };
}
