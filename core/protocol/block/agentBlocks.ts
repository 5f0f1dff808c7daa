import * as z from 'zod/mini';
import { agentId, blockId } from '../ids.ts';
import { limits } from '../limits.ts';
import { timestamp } from '../timestamp.ts';
import { common, count, name, path, title } from './fields.ts';

const flag = z.optional(z.boolean());

/** What an agent can do. Absent is false, and false unless it has been seen to work (protocol.md 1.6). */
export const capabilities = z.object({
  thinking: z.boolean(),
  permissions: z.boolean(),
  interrupt: z.boolean(),
  diffs: z.boolean(),
  resume: flag,
  models: flag,
  effort: flag,
  attachments: flag,
  usage: flag,
  background_tasks: flag,
  plan: flag,
  questions: flag,
  subagents: flag,
  terminal: flag,
  steer: flag,
  queue: flag,
  slash_commands: flag,
  context_files: flag,
  system_prompt: flag,
});
export type Capabilities = z.infer<typeof capabilities>;

export const modelId = z.string().check(z.minLength(1), z.maxLength(limits.idChars));
export const effort = z.string().check(z.regex(/^[a-z_]{1,32}$/));
export const mode = z.string().check(z.regex(/^[A-Za-z_]{1,32}$/));

const model = z.object({
  id: modelId,
  label: name,
  efforts: z.optional(z.array(effort).check(z.maxLength(16))),
  default: z.optional(z.boolean()),
});

export const slashCommand = z.object({
  name: z.string().check(z.regex(/^[A-Za-z0-9_:-]{1,64}$/)),
  description: title,
  args: z.optional(title),
  /** Whether Terminull or the agent carries it out. */
  source: z.enum(['bridge', 'agent']),
});

export type SlashCommand = z.infer<typeof slashCommand>;

/** Who works here, and what it can do. Told first, and again when something of it changes. */
export const agentInfo = z.object({
  type: z.literal('agent_info'),
  ...common,
  id: blockId,
  agent_id: agentId,
  display_name: name,
  version: name,
  capabilities,
  cwd: path,
  slash_commands: z.optional(z.array(slashCommand).check(z.maxLength(limits.slashCommands))),
  model: z.optional(modelId),
  effort: z.optional(effort),
  /** The agent's own mode, in its word: `plan`, say. How freely it acts is the session's, which `mode_changed` tells. */
  mode: z.optional(mode),
  /** The agent's own id of the conversation, by which it can be resumed. */
  native_id: z.optional(z.string().check(z.maxLength(limits.idChars))),
});
export type AgentInfo = z.infer<typeof agentInfo>;

/** Models that the agent offers. */
export const modelList = z.object({
  type: z.literal('model_list'),
  ...common,
  id: blockId,
  models: z.array(model).check(z.maxLength(limits.models)),
  current: z.optional(modelId),
  effort: z.optional(effort),
});
export type ModelList = z.infer<typeof modelList>;

/** How the agent is to work from now on, as somebody chose. What is absent stays as it was. */
export const settingsChanged = z.object({
  type: z.literal('settings_changed'),
  ...common,
  id: blockId,
  model: z.optional(modelId),
  effort: z.optional(effort),
  /** The agent's own mode, in its word. */
  agent_mode: z.optional(mode),
});
export type SettingsChanged = z.infer<typeof settingsChanged>;
/** How freely the agent acts from now on. */
export const modeChanged = z.object({ type: z.literal('mode_changed'), ...common, id: blockId, mode });

/** US dollars, as the agent reported them. */
const cost = z.number().check(z.gte(0), z.lte(1_000_000));

/** What was used. A value that nobody reported is absent, never 0 (requirement R19). */
export const usageFigures = {
  input_tokens: z.optional(count),
  output_tokens: z.optional(count),
  cached_tokens: z.optional(count),
  cache_write_tokens: z.optional(count),
  cost_usd: z.optional(cost),
};

/** What the conversation has used, as the agent reports it. */
export const usageBlock = z.object({
  type: z.literal('usage'),
  ...common,
  id: blockId,
  ...usageFigures,
  /** What the agent's present process has cost, where it says that alone; part of `cost_usd`. */
  run_cost_usd: z.optional(cost),
  /** Tokens of the conversation now, and how many fit. */
  context_used: z.optional(count),
  context_window: z.optional(count),
  rate_limits: z.optional(
    z
      .array(
        z.object({
          name,
          /** Share that is used up, 0 to 1. */
          used: z.number().check(z.gte(0), z.lte(1)),
          resets_at: z.optional(timestamp),
        }),
      )
      .check(z.maxLength(16)),
  ),
});
export type UsageBlock = z.infer<typeof usageBlock>;
