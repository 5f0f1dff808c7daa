import * as z from 'zod/mini';
import {
  getSettings,
  getUsage,
  hostSettings,
  pinThread,
  settleThread,
  unpinThread,
  unsettleThread,
} from './control/windowControls.ts';
import { requestId, sessionId } from './ids.ts';
import { limits } from './limits.ts';
import { receipt, usageResult } from './response.ts';

// What a thin client of a host says and hears, as RustCode documents it (requirements R5-R30, R37-R53): the same operations as
// our controls, each inside of an `operation` with the version beside it.

const version = z.literal(1);
const thread = { session_id: sessionId };

/** An operation of a host, by the type of the control that does the same. */
export const hostOperation = z.discriminatedUnion('type', [
  z.object({ type: getUsage.shape.type }),
  z.object({ type: getSettings.shape.type }),
  z.object({ type: z.literal('set_settings'), settings: hostSettings }),
  z.object({ type: pinThread.shape.type, ...thread }),
  z.object({ type: unpinThread.shape.type, ...thread }),
  z.object({ type: settleThread.shape.type, ...thread }),
  z.object({ type: unsettleThread.shape.type, ...thread }),
]);

export const hostRequest = z.object({
  protocol_version: version,
  request_id: requestId,
  operation: hostOperation,
});

export const hostResponse = z.object({
  kind: z.literal('response'),
  protocol_version: version,
  request_id: requestId,
  /** On mutations only (R21, R26). */
  receipt: z.optional(receipt),
  result: z.discriminatedUnion('type', [
    usageResult,
    z.object({ type: z.literal('settings'), ...hostSettings.shape }),
    z.object({ type: z.literal('thread_pinned'), ...thread, pinned: z.boolean() }),
    z.object({ type: z.literal('thread_settled'), ...thread, settled: z.boolean() }),
  ]),
});

const words = z.string().check(z.minLength(1), z.maxLength(limits.promptBytes));

/** A line from a client of a local control socket; the first one must be `auth` (R36). */
export const serveRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('auth'), token: z.string().check(z.minLength(1), z.maxLength(256)) }),
  z.object({ type: z.literal('list_sessions') }),
  z.object({ type: z.literal('submit'), prompt: words }),
  z.object({ type: z.literal('answer_question'), answer: words }),
  z.object({
    type: z.literal('approve'),
    batch_id: z.string().check(z.regex(/^[A-Za-z0-9_.:-]{1,128}$/)),
    choice: z.enum(['approve', 'deny']),
  }),
  z.object({ type: z.literal('cancel') }),
]);

/** Why a local control socket refuses; a code that this version does not know reads as `session`. */
export const serveErrorCode = z.catch(
  z.enum([
    'no_active_session',
    'invalid_workspace',
    'session',
    'model',
    'provider',
    'channel_closed',
    'unauthorized',
  ]),
  'session',
);

/** A line to that client. An event of an older `generation` is ignored by it (R44). */
export const serveResponse = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), version }),
  z.object({
    type: z.literal('event'),
    generation: z.int().check(z.gte(0)),
    /** In whatever form the host has it; as large as its line may be. */
    update: z.record(z.string().check(z.maxLength(64)), z.json()),
  }),
  z.object({
    type: z.literal('error'),
    code: serveErrorCode,
    message: z.string().check(z.maxLength(1_000)),
  }),
]);
