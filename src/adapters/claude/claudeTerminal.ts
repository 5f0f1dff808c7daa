import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../core/base/clock.ts';
import type { TerminalPlace, TerminalPrompts, TerminalSupport } from '../terminalSupport.ts';
import { ClaudePrompts } from './claudePrompts.ts';
import { findConversationFile, type Environment } from './conversationFile.ts';
import { copiedFrom } from './copiedRecords.ts';
import { openClaudeRecord } from './conversationRecord.ts';
import { dialogStatusOf } from './dialogStatus.ts';
import { hasPermissionHook, permissionHookSettings } from './permissionHook.ts';

/** How Claude Code's terminal tells of its dialogs. */
export interface ClaudeDialogs {
  /** Program and arguments that it runs beside each one. */
  readonly hook: readonly string[];
  readonly clock: Clock;
}

/**
 * Claude Code's own terminal program, as its user would start it: with the user's settings, permission mode and background
 * tasks, since the user sits before it. Both versions append to the same file when a conversation is resumed.
 *
 * @param env on top of the user's environment, for every process of Claude Code
 * @param userEnv the user's environment
 * @param dialogs how it tells of its dialogs; they stay at the desk without it
 */
export function claudeTerminal(
  env: Readonly<Record<string, string>>,
  userEnv: Environment,
  dialogs: ClaudeDialogs | undefined,
): TerminalSupport {
  const settingsFor = (version: string): readonly string[] =>
    dialogs !== undefined && hasPermissionHook(version)
      ? ['--settings', permissionHookSettings(dialogs.hook)]
      : [];
  const promptsOf = (place: TerminalPlace, clock: Clock): TerminalPrompts =>
    new ClaudePrompts({ ...place, clock, status: dialogStatusOf(place, { ...userEnv, ...env }, clock) });
  return {
    newId: () => randomUUID(),
    command(agent, { id, isNew }) {
      return {
        argv: [...agent.command.argv, isNew ? '--session-id' : '--resume', id, ...settingsFor(agent.version)],
        // Claude Code hands this on to its children. An editor that was started by one would make this terminal's records
        // look as if they came from a managed run.
        env: { CLAUDE_CODE_ENTRYPOINT: 'cli', ...env },
      };
    },
    openRecord: (_agent, nativeId) => openClaudeRecord(nativeId, { ...userEnv, ...env }),
    copiedFrom: (earlier, nativeId) => {
      const [before, after] = [earlier, nativeId].map(id => findConversationFile(id, { ...userEnv, ...env }));
      return copiedFrom(before, after);
    },
    ...(dialogs === undefined ? {} : { prompts: (place: TerminalPlace) => promptsOf(place, dialogs.clock) }),
  };
}
