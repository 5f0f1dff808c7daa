import * as z from 'zod/mini';
import { blockId, contentId } from '../ids.ts';
import { limits } from '../limits.ts';
import { timestamp } from '../timestamp.ts';
import { bulk, common, count, duration, name, path, title } from './fields.ts';

/** A key that objects swallow: what it holds would run without having been shown. */
function holdsProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(holdsProto);
}

/** Arguments of a tool, as the agent gave them. Always shown in full before they can be approved. */
export const toolInput = z.pipe(
  z.unknown().check(z.refine(value => !holdsProto(value))),
  z.record(z.string().check(z.maxLength(limits.nameChars)), z.json()),
);
export type ToolInput = z.infer<typeof toolInput>;

/** A call of a tool: `running` first, then once `done` or `error`, paired with a result (requirements T69, T70). */
export const toolCall = z.object({
  type: z.literal('tool_call'),
  ...common,
  id: blockId,
  name,
  title,
  kind: z.enum(['read', 'edit', 'execute', 'search', 'fetch', 'think', 'other']),
  input: toolInput,
  status: z.enum(['running', 'done', 'error']),
  started_at: z.optional(timestamp),
  duration_ms: z.optional(duration),
});
export type ToolCallBlock = z.infer<typeof toolCall>;

/** What became of a call. `unknown`: nobody can tell, and it is never run again by itself (requirement M71). */
export const toolResult = z.object({
  type: z.literal('tool_result'),
  ...common,
  id: blockId,
  tool_call_id: blockId,
  content: bulk,
  /** `content` is not all of it; the rest is fetched by `content_id`, when there is one. */
  truncated: z.boolean(),
  content_id: z.optional(contentId),
  outcome: z.enum(['ok', 'error', 'denied', 'interrupted', 'unknown']),
});
export type ToolResultBlock = z.infer<typeof toolResult>;

/** A change of a file, as a unified diff. */
export const diffBlock = z.object({
  type: z.literal('diff'),
  ...common,
  id: blockId,
  path,
  /** Where the file was before, when it moved. */
  old_path: z.optional(path),
  unified: bulk,
  truncated: z.boolean(),
  content_id: z.optional(contentId),
  added: count,
  removed: count,
  tool_call_id: z.optional(blockId),
  /** SHA-256 of the file before, in lower-case hex. */
  base_digest: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
});
export type DiffBlock = z.infer<typeof diffBlock>;

/** How far something is that takes a while: a retry, a compaction, a long call. */
export const progressBlock = z.object({
  type: z.literal('progress'),
  ...common,
  id: blockId,
  label: title,
  percent: z.optional(z.number().check(z.gte(0), z.lte(100))),
  tool_call_id: z.optional(blockId),
});

/** A command that runs beside the turns. */
export const backgroundTask = z.object({
  type: z.literal('bg_task'),
  ...common,
  id: blockId,
  command: z.string().check(z.maxLength(limits.commandChars)),
  status: z.enum(['running', 'done', 'error', 'killed']),
  elapsed_ms: duration,
  output_tail: z.optional(z.string().check(z.maxLength(limits.tailChars))),
});

/** An agent that the agent called. Its own blocks name it by `parent_id`. */
export const subagentBlock = z.object({
  type: z.literal('subagent'),
  ...common,
  id: blockId,
  name,
  task: title,
  status: z.enum(['running', 'done', 'error']),
  /** 1 for one that the main agent called. */
  depth: z.int().check(z.gte(1), z.lte(16)),
});
export type SubagentBlock = z.infer<typeof subagentBlock>;

const planItem = z.object({
  /** The agent's own, where it names its steps. */
  id: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_.:-]{1,64}$/))),
  text: title,
  status: z.enum(['pending', 'in_progress', 'completed']),
});
export type PlanItem = z.infer<typeof planItem>;

/** What the agent means to do, and how far it is. A repeated id replaces it whole. */
export const planBlock = z.object({
  type: z.literal('plan'),
  ...common,
  id: blockId,
  items: z.array(planItem).check(z.maxLength(limits.planItems)),
});
export type PlanBlock = z.infer<typeof planBlock>;
