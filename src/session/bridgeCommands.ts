import type { SlashCommand } from '../../core/protocol/block/agentBlocks.ts';
import { limits } from '../../core/protocol/limits.ts';

/** Commands that every session has, whatever its agent is (requirement T82). */
export const bridgeCommands = [
  { name: 'stop', description: 'Stop what the agent does now', source: 'bridge' },
  { name: 'end', description: 'End this session and its agent', source: 'bridge' },
] as const satisfies readonly SlashCommand[];

/** The commands of a session: ours first, then the agent's, each name once. */
export function withBridgeCommands(
  commands: readonly Omit<SlashCommand, 'source'>[],
): readonly SlashCommand[] {
  const all = new Map<string, SlashCommand>(bridgeCommands.map(command => [command.name, command]));
  for (const command of commands)
    if (!all.has(command.name)) all.set(command.name, { ...command, source: 'agent' });
  return [...all.values()].slice(0, limits.slashCommands);
}
