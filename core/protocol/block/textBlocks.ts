import * as z from 'zod/mini';
import { blockId, contentId, deviceId } from '../ids.ts';
import { limits } from '../limits.ts';
import { common, duration, name, text } from './fields.ts';

/** The full text so far under a stable id; exactly one `done: true` ends it (requirements T25-T29). */
export const textBlock = z.object({
  type: z.literal('text'),
  ...common,
  id: blockId,
  text,
  done: z.boolean(),
});
export type TextBlock = z.infer<typeof textBlock>;

/** What the agent thinks, as far as it shows that. Ends like a text. */
export const thinkingBlock = z.object({
  type: z.literal('thinking'),
  ...common,
  id: blockId,
  text,
  done: z.boolean(),
  duration_ms: z.optional(duration),
});
export type ThinkingBlock = z.infer<typeof thinkingBlock>;

/** A file that belongs to a prompt. Its bytes travel apart, by id: a path never does. */
export const attachment = z.object({
  content_id: contentId,
  mime: z.string().check(z.regex(/^[a-z0-9.+-]{1,64}\/[a-z0-9.+-]{1,64}$/)),
  name,
  bytes: z.int().check(z.gte(0), z.lte(limits.attachmentBytes)),
});
export type Attachment = z.infer<typeof attachment>;

/**
 * `queued` waits; `steered` waits in front of those; `held` waits until somebody sends a prompt or says to go on, because a
 * person stopped the agent or it could not go on; `cancelled` was taken back, or put away after it was not delivered. With a
 * `turn_id`, a prompt that waits is on its way to the agent, and can be changed no more.
 */
export const promptState = z.enum(['queued', 'steered', 'held', 'delivered', 'not_delivered', 'cancelled']);
export type PromptState = z.infer<typeof promptState>;

/** A prompt and how far it got; a repeated id replaces the earlier state. */
export const userEcho = z.object({
  type: z.literal('user_echo'),
  ...common,
  id: blockId,
  text,
  attachments: z.optional(z.array(attachment).check(z.maxLength(limits.attachments))),
  state: promptState,
  /** Absent: it was typed at the desk. */
  device_id: z.optional(deviceId),
  client_msg_id: z.string().check(z.maxLength(limits.idChars)),
});
export type UserEchoBlock = z.infer<typeof userEcho>;
