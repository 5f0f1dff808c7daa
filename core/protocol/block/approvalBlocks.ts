import * as z from 'zod/mini';
import { agentId, blockId, contentId, turnId } from '../ids.ts';
import { limits } from '../limits.ts';
import { timestamp } from '../timestamp.ts';
import { common, count, name, path, text, title } from './fields.ts';
import { toolInput } from './toolBlocks.ts';

export const permissionOption = z.object({
  id: z.string().check(z.regex(/^[a-z_]{1,32}$/)),
  label: name,
  kind: z.enum(['allow_once', 'allow_session', 'allow_always', 'deny']),
});
export type PermissionOption = z.infer<typeof permissionOption>;

/** Asks to run exactly one action; `digest` is over the canonical form of all of it (protocol.md K20). */
export const permissionRequest = z.object({
  type: z.literal('permission_request'),
  ...common,
  id: blockId,
  turn_id: turnId,
  tool_call_id: z.optional(blockId),
  agent_id: agentId,
  tool: name,
  title,
  input: toolInput,
  /** `input` is not all of it: the whole is fetched by this id before anybody can approve it. */
  content_id: z.optional(contentId),
  cwd: path,
  digest: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  risk: z.enum(['low', 'medium', 'high']),
  options: z.array(permissionOption).check(z.minLength(1), z.maxLength(8)),
  expires_at: z.optional(timestamp),
});
export type PermissionRequest = z.infer<typeof permissionRequest>;

export const resolvedBy = z.enum([
  'device',
  'desktop',
  'terminal',
  'timeout',
  'policy',
  'interrupt',
  'crash',
]);
export type ResolvedBy = z.infer<typeof resolvedBy>;

/** What became of a request, and by whom. */
export const permissionResolved = z.object({
  type: z.literal('permission_resolved'),
  ...common,
  id: blockId,
  /** The chosen option; absent when the request was withdrawn. */
  option_id: z.optional(z.string().check(z.maxLength(32))),
  granted: z.boolean(),
  by: resolvedBy,
  /** Name of the phone that answered, for "who answered what". */
  by_name: z.optional(name),
});

/** Something that the agent wants to know. */
export const questionBlock = z.object({
  type: z.literal('question'),
  ...common,
  id: blockId,
  turn_id: turnId,
  header: name,
  text,
  options: z
    .array(
      z.object({
        id: z.string().check(z.regex(/^[a-z0-9_]{1,32}$/)),
        label: title,
        description: z.optional(title),
      }),
    )
    .check(z.maxLength(limits.questionOptions)),
  multiple: z.boolean(),
  allow_custom: z.boolean(),
  /** Which one of several that were asked together, from 1. */
  position: z.int().check(z.gte(1), z.lte(limits.questionOptions)),
  chain_length: z.int().check(z.gte(1), z.lte(limits.questionOptions)),
});
export type QuestionBlock = z.infer<typeof questionBlock>;

/** A question was answered or taken back. */
export const questionResolved = z.object({
  type: z.literal('question_resolved'),
  ...common,
  id: blockId,
  answered: z.boolean(),
  by: resolvedBy,
  by_name: z.optional(name),
  /** Answers that were given so far to questions asked together. */
  answers: z.optional(count),
  /** Ids of the options that were chosen, or the words that were given instead. */
  selected: z.optional(
    z.array(z.string().check(z.regex(/^[a-z0-9_]{1,32}$/))).check(z.maxLength(limits.questionOptions)),
  ),
  custom: z.optional(z.string().check(z.maxLength(4_096))),
});
