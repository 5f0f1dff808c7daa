import * as z from 'zod/mini';
import { agentId, blockId, deviceId, turnId } from './ids.ts';
import { limits } from './limits.ts';
import { timestamp } from './timestamp.ts';

const name = z.string().check(z.maxLength(limits.nameChars));
const title = z.string().check(z.maxLength(limits.titleChars));
const text = z.string().check(z.maxLength(limits.textChars));
const bulk = z.string().check(z.maxLength(limits.bulkChars));
const path = z.string().check(z.maxLength(limits.pathChars));
const count = z.int().check(z.gte(0));

/** Fields of every block: when it was made, and the turn it belongs to. */
const common = { ts: timestamp, turn_id: z.optional(turnId) };

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

export const capabilities = z.object({
  thinking: z.boolean(),
  permissions: z.boolean(),
  interrupt: z.boolean(),
  diffs: z.boolean(),
});
/** What an agent can do; false unless it has been seen to work. */
export type Capabilities = z.infer<typeof capabilities>;

export const agentInfo = z.object({
  type: z.literal('agent_info'),
  ...common,
  id: blockId,
  agent_id: agentId,
  display_name: name,
  version: name,
  capabilities,
  cwd: path,
  /** The agent's own id of the conversation, by which it can be resumed. */
  native_id: z.optional(z.string().check(z.maxLength(limits.idChars))),
});

/** The full text so far under a stable id; exactly one `done: true` ends it (requirements T25-T29). */
export const textBlock = z.object({
  type: z.literal('text'),
  ...common,
  id: blockId,
  text,
  done: z.boolean(),
});
export const thinkingBlock = z.object({
  type: z.literal('thinking'),
  ...common,
  id: blockId,
  text,
  done: z.boolean(),
});

export const toolCall = z.object({
  type: z.literal('tool_call'),
  ...common,
  id: blockId,
  name,
  title,
  kind: z.enum(['read', 'edit', 'execute', 'search', 'fetch', 'think', 'other']),
  input: toolInput,
  status: z.enum(['running', 'done', 'error']),
});

export const toolResult = z.object({
  type: z.literal('tool_result'),
  ...common,
  id: blockId,
  tool_call_id: blockId,
  content: bulk,
  truncated: z.boolean(),
  outcome: z.enum(['ok', 'error', 'denied', 'interrupted', 'unknown']),
});

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
  cwd: path,
  digest: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  risk: z.enum(['low', 'medium', 'high']),
  options: z.array(permissionOption).check(z.minLength(1), z.maxLength(8)),
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

export const diffBlock = z.object({
  type: z.literal('diff'),
  ...common,
  id: blockId,
  path,
  unified: bulk,
  truncated: z.boolean(),
  added: count,
  removed: count,
  tool_call_id: z.optional(blockId),
});

export const promptState = z.enum(['queued', 'delivered', 'not_delivered']);
export type PromptState = z.infer<typeof promptState>;

/** A prompt and how far it got; a repeated id replaces the earlier state. */
export const userEcho = z.object({
  type: z.literal('user_echo'),
  ...common,
  id: blockId,
  text,
  state: promptState,
  device_id: z.optional(deviceId),
  client_msg_id: z.string().check(z.maxLength(limits.idChars)),
});

/** Ends a turn, never the conversation; exactly one per turn (requirement T68). */
export const sessionEnd = z.object({
  type: z.literal('session_end'),
  ...common,
  id: blockId,
  turn_id: turnId,
  reason: z.enum(['completed', 'interrupted', 'error', 'stopped']),
});

export const errorBlock = z.object({
  type: z.literal('error'),
  ...common,
  id: blockId,
  code: z.enum([
    'agent_crashed',
    'agent_failed',
    'agent_missing',
    'workspace_missing',
    'journal_damaged',
    'internal',
    // What a model's service refused: the message says what to do.
    'not_logged_in',
    'bad_credentials',
    'rate_limited',
    'overloaded',
    'context_overflow',
    'stream_cut',
    'api_error',
  ]),
  message: z.string().check(z.maxLength(1_000)),
});

/** What the conversation as a whole has become. */
export const sessionStateBlock = z.object({
  type: z.literal('session_state'),
  ...common,
  id: blockId,
  activity: z.literal('ended'),
});

export const conversationOwner = z.enum(['bridge', 'terminal']);
export type ConversationOwner = z.infer<typeof conversationOwner>;

/**
 * Who drives the conversation: the bridge, or its user in the agent's own terminal, which is read along. `releasing` is
 * on the way there.
 */
export const handoffState = z.object({
  type: z.literal('handoff_state'),
  ...common,
  id: blockId,
  state: z.enum(['live', 'releasing', 'mirroring']),
  owner: conversationOwner,
});
export type HandoffState = z.infer<typeof handoffState>;

export const block = z.discriminatedUnion('type', [
  agentInfo,
  textBlock,
  thinkingBlock,
  toolCall,
  toolResult,
  permissionRequest,
  permissionResolved,
  diffBlock,
  userEcho,
  sessionEnd,
  sessionStateBlock,
  handoffState,
  errorBlock,
]);
export type Block = z.infer<typeof block>;
export type TextBlock = z.infer<typeof textBlock>;
export type ThinkingBlock = z.infer<typeof thinkingBlock>;
export type ToolCallBlock = z.infer<typeof toolCall>;
export type ToolResultBlock = z.infer<typeof toolResult>;
export type UserEchoBlock = z.infer<typeof userEcho>;
export type ErrorBlock = z.infer<typeof errorBlock>;
