import * as z from 'zod/mini';
import { blockId, turnId } from '../ids.ts';
import { limits } from '../limits.ts';
import { common, count, duration, text, title } from './fields.ts';
import { usageFigures } from './agentBlocks.ts';

export const blockErrorCode = z.enum([
  'agent_crashed',
  'agent_failed',
  'agent_missing',
  'workspace_missing',
  // The agent runs under another version of this program, which cannot be talked with.
  'other_version',
  'session_not_found',
  'unsupported_operation',
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
]);

/** Something went wrong; the message says what to do. */
export const errorBlock = z.object({
  type: z.literal('error'),
  ...common,
  id: blockId,
  code: blockErrorCode,
  message: z.string().check(z.maxLength(1_000)),
  /** It is mended without anybody: the agent tries again in the same turn, or is started again. */
  recoverable: z.optional(z.boolean()),
  /** When that is, or when what waits goes on. */
  retry_in_ms: z.optional(duration),
  /** Counts from 1. */
  attempt: z.optional(count),
  max_attempts: z.optional(count),
});
export type ErrorBlock = z.infer<typeof errorBlock>;

/** Ends a turn, never the conversation; exactly one per turn (requirement T68). */
export const sessionEnd = z.object({
  type: z.literal('session_end'),
  ...common,
  id: blockId,
  turn_id: turnId,
  reason: z.enum(['completed', 'interrupted', 'error', 'max_turns', 'stopped']),
  usage: z.optional(z.object(usageFigures)),
});

/** What the conversation as a whole has become. */
export const sessionStateBlock = z.object({
  type: z.literal('session_state'),
  ...common,
  id: blockId,
  activity: z.enum(['idle', 'running', 'awaiting_approval', 'awaiting_question', 'ended']),
  health: z.optional(z.enum(['live', 'unresponsive'])),
  /** The turn was told to stop, and why. It has stopped once its `session_end` is there. */
  stopping: z.optional(z.literal('user_cancelled')),
});

/** What a conversation was about. */
export const sessionSummaryBlock = z.object({
  type: z.literal('session_summary'),
  ...common,
  id: blockId,
  title,
  summary: text,
  turns: count,
  files_changed: z.optional(count),
});

/** `elsewhere`: in a terminal that the bridge did not start, and cannot show. */
export const conversationOwner = z.enum(['bridge', 'terminal', 'elsewhere']);
export type ConversationOwner = z.infer<typeof conversationOwner>;

/**
 * Who drives the conversation: the bridge, or its user in the agent's own terminal, which is read along. `releasing` is
 * on the way there.
 */
export const handoffState = z.object({
  type: z.literal('handoff_state'),
  ...common,
  id: blockId,
  state: z.enum(['live', 'releasing', 'mirroring', 'parked', 'attaching']),
  owner: conversationOwner,
  /** Prompts that wait until the terminal is left. */
  queued: z.optional(z.int().check(z.gte(0), z.lte(limits.queuedPrompts))),
});
export type HandoffState = z.infer<typeof handoffState>;
