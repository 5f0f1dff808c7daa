import * as z from 'zod/mini';
import { base64Bytes } from '../base64Text.ts';
import { effort, modelId } from '../block/agentBlocks.ts';
import { path } from '../block/fields.ts';
import { agentId, requestId, sessionId } from '../ids.ts';
import { limits } from '../limits.ts';
import { peerCapabilities, request } from './fields.ts';

const cursor = z.string().check(z.maxLength(limits.idChars));
const thread = { ...request, session_id: sessionId };
const nativeId = z.string().check(z.minLength(1), z.maxLength(limits.idChars));

/** What this window has, and what can be started in it. */
export const listSessions = z.object({
  type: z.literal('list_sessions'),
  ...request,
  cursor: z.optional(cursor),
  /** Tell of changes, too, as long as the channel lives. */
  subscribe: z.optional(z.boolean()),
});

/** Conversations that agents keep and that nobody has opened here. */
export const listExternalSessions = z.object({
  type: z.literal('list_external_sessions'),
  ...request,
  agent_id: z.optional(agentId),
  cwd: z.optional(path),
  limit: z.int().check(z.gte(1), z.lte(limits.sessionsListed)),
});
/**
 * Takes up a conversation that an agent keeps, as a session on the channel whose session id the phone drew: what was said is
 * told, and what is said while somebody else drives it. Refused as `request_conflict` when a session has it already.
 */
export const bindExternal = z.object({
  type: z.literal('bind_external'),
  ...request,
  agent_id: agentId,
  native_id: nativeId,
  /** Goes on in a copy with all that was said so far. The conversation itself stays as it is, with whoever has it. */
  fork: z.optional(z.boolean()),
  capabilities: z.optional(peerCapabilities),
});

/** Models that can be chosen. */
export const listModels = z.object({
  type: z.literal('list_models'),
  ...request,
  agent_id: z.optional(agentId),
});
/** What was used in the last thirty days. */
export const getUsage = z.object({ type: z.literal('get_usage'), ...request });
/** Settings that can be seen from afar. */
export const getSettings = z.object({ type: z.literal('get_settings'), ...request });

/** Only these three can be seen or changed from afar; any other key is refused, and then nothing is written (R22, R23). */
export const hostSettings = z.strictObject({
  harness: z.optional(agentId),
  model: z.optional(modelId),
  effort: z.optional(effort),
});
/** Changes them: all that is named, or nothing. */
export const setSettings = z.object({
  type: z.literal('set_settings'),
  ...request,
  settings: hostSettings,
});

/** Keeps a session at the top of the list. */
export const pinThread = z.object({ type: z.literal('pin_thread'), ...thread });
/** Lets it sort by its age again. */
export const unpinThread = z.object({ type: z.literal('unpin_thread'), ...thread });
/** Marks a session as done. */
export const settleThread = z.object({ type: z.literal('settle_thread'), ...thread });
/** Marks it as open again. */
export const unsettleThread = z.object({ type: z.literal('unsettle_thread'), ...thread });

/**
 * Names the next X25519 key of the phone that says it, and of no other. The phone has stored it before. The key of before
 * opens handshakes until the new one has opened one, and for a day at most. Naming the same key again changes nothing.
 */
export const rotateKey = z.object({
  type: z.literal('rotate_key'),
  ...request,
  /** Its public half, 32 bytes. */
  new_s_d: base64Bytes(32),
});

/** What became of an earlier request whose answer did not arrive. */
export const requestStatus = z.object({
  type: z.literal('request_status'),
  ...request,
  target_request_id: requestId,
});

/** A sign of life that says how far the reader is. */
export const ping = z.object({
  type: z.literal('ping'),
  ...request,
  last_counter: z.int().check(z.gte(0)),
  last_seq: z.int().check(z.gte(0)),
});
