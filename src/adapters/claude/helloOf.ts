import * as z from 'zod/mini';
import { shorten } from '../../../core/base/cutText.ts';
import { effort, modelId, slashCommand } from '../../../core/protocol/block/agentBlocks.ts';
import { limits } from '../../../core/protocol/limits.ts';
import type { AgentEvent } from '../agent.ts';
import { agentBlockId } from './agentBlockId.ts';

const list = z.array(z.unknown());
const hello = z.object({ commands: z.optional(list), models: z.optional(list) });

const model = z.object({
  value: modelId,
  displayName: z.optional(z.string()),
  supportedEffortLevels: z.optional(z.nullable(z.array(effort))),
});

const command = z.object({
  name: slashCommand.shape.name,
  description: z.optional(z.nullable(z.string())),
  argumentHint: z.optional(z.nullable(z.string())),
});

/** The model that is taken when none is chosen. */
export const defaultModel = 'default';

/** What Claude Code says of itself when it is greeted: its models and its commands. Entries of another shape are left out. */
export function helloOf(response: unknown): readonly AgentEvent[] {
  const parsed = hello.safeParse(response);
  if (!parsed.success) return [];
  const { models, commands } = parsed.data;
  return [
    ...(models === undefined ? [] : [{ type: 'models', models: models.flatMap(modelOf) } as const]),
    ...(commands === undefined ? [] : [{ type: 'commands', commands: commands.flatMap(commandOf) } as const]),
  ];
}

function modelOf(raw: unknown): Extract<AgentEvent, { type: 'models' }>['models'] {
  const parsed = model.safeParse(raw);
  if (!parsed.success) return [];
  const { value: id, displayName = id, supportedEffortLevels: efforts } = parsed.data;
  return [
    {
      id,
      label: shorten(displayName, limits.nameChars),
      ...(efforts ? { efforts } : {}),
      ...(id === defaultModel ? { default: true } : {}),
    },
  ];
}

/** Names that begin with two underscores are its own, and for no people. */
function commandOf(raw: unknown): Extract<AgentEvent, { type: 'commands' }>['commands'] {
  const parsed = command.safeParse(raw);
  if (!parsed.success || parsed.data.name.startsWith('__')) return [];
  const { name, description, argumentHint: args } = parsed.data;
  return [
    {
      name,
      description: shorten(description ?? '', limits.titleChars),
      ...(args ? { args: shorten(args, limits.titleChars) } : {}),
    },
  ];
}

/** A setting that Claude Code would not take: it goes on as it was, which it says itself at its next turn. */
export function settingRefusal(requestId: string, reason: string): readonly AgentEvent[] {
  const [, setting] = /^(model|effort|mode)-\d+$/.exec(requestId) ?? [];
  if (setting === undefined) return [];
  const message = shorten(`Claude Code did not change the ${setting}: ${reason}`, 1_000);
  const id = agentBlockId(`${requestId}.refused`);
  return [{ type: 'block', block: { type: 'error', id, code: 'unsupported_operation', message } }];
}
