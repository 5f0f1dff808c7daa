import * as z from 'zod/mini';
import { agentId, blockId, requestId, turnId } from './ids.ts';
import { base64Bytes } from './base64Text.ts';
import { limits } from './limits.ts';

const request = { request_id: requestId };

/** Characters are the bound here; the byte bound is checked by the bridge (`limits.promptBytes`). */
const promptText = z.string().check(z.minLength(1), z.maxLength(limits.promptBytes));
/** Short enough that ids can be made of it. */
const clientMessageId = z.string().check(z.regex(/^[A-Za-z0-9_.:-]{1,100}$/));

/** First frame of a pairing channel: the phone's signing key and its name. */
export const pairConfirm = z.object({
  type: z.literal('pair_confirm'),
  ...request,
  K_d: base64Bytes(65),
  name: z.string().check(z.minLength(1), z.maxLength(limits.nameChars)),
});
export type PairConfirm = z.infer<typeof pairConfirm>;

/** Opens a new conversation on the channel whose session id the phone drew. */
export const openControl = z.object({
  type: z.literal('open'),
  ...request,
  agent_id: agentId,
  prompt: z.optional(promptText),
  client_msg_id: z.optional(clientMessageId),
});

/** Resumes after the last journal block that the phone holds; 0 asks for everything kept. */
export const resumeControl = z.object({
  type: z.literal('resume'),
  ...request,
  since_seq: z.int().check(z.gte(0)),
});

export const userMessage = z.object({
  type: z.literal('user_message'),
  ...request,
  text: promptText,
  client_msg_id: clientMessageId,
  delivery: z.enum(['auto', 'steer', 'queue']),
});

export const permissionResponse = z.object({
  type: z.literal('permission_response'),
  ...request,
  id: blockId,
  option_id: z.string().check(z.regex(/^[a-z_]{1,32}$/)),
  /** Recomputed by the phone over what it showed. */
  digest: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});

export const interruptControl = z.object({ type: z.literal('interrupt'), ...request, turn_id: turnId });
export const listSessions = z.object({
  type: z.literal('list_sessions'),
  ...request,
  subscribe: z.optional(z.boolean()),
});
export const endSession = z.object({ type: z.literal('end_session'), ...request });

export const control = z.discriminatedUnion('type', [
  openControl,
  resumeControl,
  userMessage,
  permissionResponse,
  interruptControl,
  listSessions,
  endSession,
]);
/** What a paired phone may ask of a bridge. */
export type Control = z.infer<typeof control>;
