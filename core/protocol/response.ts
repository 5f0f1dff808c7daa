import * as z from 'zod/mini';
import { base64Text } from './base64Text.ts';
import { modelList, usageFigures } from './block/agentBlocks.ts';
import { count, path, title } from './block/fields.ts';
import { hostSettings } from './control/windowControls.ts';
import { errorCode } from './errorCode.ts';
import { agentId, contentId, requestId, sessionId, type RequestId } from './ids.ts';
import { limits } from './limits.ts';
import { messageFormat } from './parseJson.ts';
import { screenId, screenPage, screenPicture } from './screenPicture.ts';
import { timestamp } from './timestamp.ts';
import { receivedWindowState } from './windowState.ts';

const seq = z.int().check(z.gte(0));
const typeName = z.string().check(z.minLength(1), z.maxLength(64));
const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));

/**
 * What became of a mutation. `unknown` is never asked for again by itself: it may have been done. A word that this version
 * does not know reads as that.
 */
export const receipt = z.catch(z.enum(['applied', 'rejected', 'unknown', 'received']), 'unknown');
export type Receipt = z.infer<typeof receipt>;

/** A refusal. The message is for logs: users read our own words for the code. */
const refusal = z.object({
  type: z.literal('error'),
  code: errorCode,
  message: z.string().check(z.maxLength(300)),
});

/** Controls whose answer is that they were done. */
export const appliedType = z.enum([
  'open',
  'resume',
  'user_message',
  'permission_response',
  'question_response',
  'interrupt',
  'end_session',
  'set_model',
  'set_effort',
  'set_mode',
  'slash_command',
  'release_to_terminal',
  'cancel_queued',
  'edit_queued',
  'send_queued',
  'detach',
  'suggest_prompt',
  'suggestion_decision',
  'rename',
  'bind_external',
  'rotate_key',
  'ping',
  'upload',
  'stt_chunk',
  'stt_end',
  'terminal_input',
  'terminal_resize',
  'type_text',
  'press_key',
]);
export type AppliedType = z.infer<typeof appliedType>;
const applied = z.object({ type: appliedType });

const usage = z.object({ ...usageFigures, turns: z.optional(count) });

/** What was used within some days, as far as agents reported it. A value that nobody reported is absent (R16-R19). */
export const usageResult = z.object({
  type: z.literal('usage'),
  since: day,
  until: day,
  totals: usage,
  by_day: z.array(z.object({ day, usage })).check(z.maxLength(366)),
  by_harness: z.array(z.object({ harness: agentId, usage })).check(z.maxLength(limits.agentsListed)),
  by_model: z
    .array(z.object({ harness: agentId, model: z.string().check(z.maxLength(limits.idChars)), usage }))
    .check(z.maxLength(limits.models)),
});

/** What a terminal shows; without a picture: nothing has changed so far. */
export const screenResult = z.object({
  type: z.literal('screen'),
  screen_id: screenId,
  picture: z.optional(screenPicture),
});
/** Lines above a terminal's screen. */
export const screenPageResult = z.object({
  type: z.literal('screen_page'),
  screen_id: screenId,
  page: screenPage,
});

/** A conversation that an agent keeps and that no session has. */
export const externalSession = z.object({
  agent_id: agentId,
  native_id: z.string().check(z.maxLength(limits.idChars)),
  cwd: path,
  title,
  updated_at: timestamp,
  turns: z.optional(count),
  /** Whether somebody drives it now; `unknown` when nobody can tell, or in a word that this version does not know. */
  live: z.catch(z.enum(['yes', 'no', 'unknown']), 'unknown'),
});

export type ExternalSession = z.infer<typeof externalSession>;

export const result = z.discriminatedUnion('type', [
  applied,
  refusal,
  z.object({
    type: z.literal('list_sessions'),
    state: receivedWindowState,
    cursor: z.optional(z.string().check(z.maxLength(limits.idChars))),
  }),
  z.object({
    type: z.literal('external_sessions'),
    sessions: z.array(externalSession).check(z.maxLength(limits.sessionsListed)),
  }),
  z.object({
    type: z.literal('models'),
    models: modelList.shape.models,
    current: modelList.shape.current,
    effort: modelList.shape.effort,
  }),
  usageResult,
  z.object({ type: z.literal('settings'), ...hostSettings.shape }),
  z.object({ type: z.literal('thread_pinned'), session_id: sessionId, pinned: z.boolean() }),
  z.object({ type: z.literal('thread_settled'), session_id: sessionId, settled: z.boolean() }),
  /** The blocks themselves come before, as history. `oldest_seq`: the first one that is kept. */
  z.object({ type: z.literal('history'), from_seq: seq, up_to_seq: seq, oldest_seq: seq }),
  z.object({
    type: z.literal('content'),
    content_id: contentId,
    /** In bytes. */
    offset: z.int().check(z.gte(0)),
    total_bytes: z.int().check(z.gte(0)),
    data: base64Text(Math.ceil(limits.contentPieceBytes / 3) * 4),
  }),
  screenResult,
  screenPageResult,
  /** What became of the request that was asked about; `unknown`: this machine does not know it any more. */
  z.object({ type: z.literal('request_status'), target_request_id: requestId, status: receipt }),
]);
export type ResponseResult = z.infer<typeof result>;

/** An answer as it is told. */
export interface ResponseMessage {
  readonly kind: 'response';
  readonly request_id: RequestId;
  readonly receipt?: Receipt;
  readonly result: ResponseResult;
}

/** An answer of a type that this version does not know: the request was answered, and nobody here can tell how. */
export const unrecognisedResult = z.object({
  type: z.literal('unrecognised'),
  /** What the sender calls it. */
  name: typeName,
});
export type ReceivedResult = ResponseResult | z.infer<typeof unrecognisedResult>;

const anyResult = z.object({ type: typeName });
const { known } = messageFormat(result);

/** A broken answer of a known type is refused: what cannot be read must not look done. */
const receivedResult: z.ZodMiniType<ReceivedResult> = z.pipe(
  z.pipe(
    z.unknown(),
    z.transform((value: unknown) => {
      const any = anyResult.safeParse(value);
      return any.success && !known.has(any.data.type) ? { type: 'unrecognised', name: any.data.type } : value;
    }),
  ),
  z.union([result, unrecognisedResult]),
);

/** Answers exactly one request. `receipt` says what became of a mutation. */
export const receivedResponse = z.object({
  kind: z.literal('response'),
  request_id: requestId,
  receipt: z.optional(receipt),
  /** One of the answers below. */
  result: receivedResult,
});
export type ReceivedResponse = z.infer<typeof receivedResponse>;
