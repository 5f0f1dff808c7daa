import * as z from 'zod/mini';
import { agentId, deviceId, requestId, sessionId, turnId } from './ids.ts';
import { base64Bytes } from './base64Text.ts';
import { block, conversationOwner } from './block.ts';
import { errorCode } from './errorCode.ts';
import { limits } from './limits.ts';
import { timestamp } from './timestamp.ts';

const name = z.string().check(z.maxLength(limits.nameChars));
const path = z.string().check(z.maxLength(limits.pathChars));

export const activity = z.enum(['idle', 'running', 'awaiting_approval', 'ended']);
export type Activity = z.infer<typeof activity>;

export const sessionSummary = z.object({
  session_id: sessionId,
  agent_id: agentId,
  agent_name: name,
  title: z.string().check(z.maxLength(limits.titleChars)),
  cwd: path,
  activity,
  /** The turn that runs, when one does: what `interrupt` names. */
  turn_id: z.optional(turnId),
  /** Absent: the bridge. */
  owner: z.optional(conversationOwner),
  updated_at: timestamp,
  /** Requests that wait for an answer. */
  waiting: z.int().check(z.gte(0)),
  /** Title of the oldest waiting request. */
  asks: z.optional(z.string().check(z.maxLength(limits.titleChars))),
});
export type SessionSummary = z.infer<typeof sessionSummary>;

export const agentOffer = z.object({ agent_id: agentId, display_name: name, version: name });
export type AgentOffer = z.infer<typeof agentOffer>;

/** One editor window: where it works, what runs there, what can be started. */
export const windowState = z.object({
  machine: name,
  workspace: name,
  cwd: path,
  agents: z.array(agentOffer).check(z.maxLength(limits.agentsListed)),
  sessions: z.array(sessionSummary).check(z.maxLength(limits.sessionsListed)),
});
export type WindowState = z.infer<typeof windowState>;

const refusal = z.object({
  type: z.literal('error'),
  code: errorCode,
  message: z.string().check(z.maxLength(300)),
});

const applied = z.object({
  type: z.enum(['open', 'resume', 'user_message', 'permission_response', 'interrupt', 'end_session']),
});

/** Answers exactly one request. `receipt` says what became of a mutation. */
export const responseMessage = z.object({
  kind: z.literal('response'),
  request_id: requestId,
  receipt: z.optional(z.enum(['applied', 'rejected', 'unknown', 'received'])),
  result: z.discriminatedUnion('type', [
    applied,
    z.object({ type: z.literal('list_sessions'), state: windowState }),
    refusal,
  ]),
});
export type ResponseMessage = z.infer<typeof responseMessage>;

/** A journal block: `seq` grows by one per block and session, so a gap proves a loss. */
export const eventMessage = z.object({
  kind: z.literal('event'),
  seq: z.int().check(z.gte(1)),
  generation: z.int().check(z.gte(0)),
  block,
});
export type EventMessage = z.infer<typeof eventMessage>;

/**
 * A block that still grows. It takes no `seq` and is not in the journal: the final form arrives as an event under the
 * same id and replaces it.
 */
export const liveMessage = z.object({ kind: z.literal('live'), generation: z.int().check(z.gte(0)), block });

/** Everything up to `up_to_seq` has been sent; what follows is new. */
export const replayDone = z.object({
  kind: z.literal('replay_done'),
  up_to_seq: z.int().check(z.gte(0)),
  generation: z.int().check(z.gte(0)),
  summary: sessionSummary,
});

export const summaryMessage = z.object({ kind: z.literal('summary'), summary: sessionSummary });
export const windowMessage = z.object({ kind: z.literal('window'), state: windowState });

/** Proof that nothing was cut off: the newest `seq`, every `heartbeatMs`. */
export const heartbeatMessage = z.object({ kind: z.literal('heartbeat'), last_seq: z.int().check(z.gte(0)) });

export const bridgeMessage = z.discriminatedUnion('kind', [
  responseMessage,
  eventMessage,
  liveMessage,
  replayDone,
  summaryMessage,
  windowMessage,
  heartbeatMessage,
]);
/** What a bridge says to a paired phone inside a channel. */
export type BridgeMessage = z.infer<typeof bridgeMessage>;

/** Last frame of a pairing channel. */
export const pairOutcome = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('pair_done'),
    K_b: base64Bytes(32),
    device_id: deviceId,
    role: z.enum(['owner', 'co_driver', 'viewer']),
    /** Name of the machine, for the phone's list. */
    machine: name,
    access_token: z.string().check(z.maxLength(256)),
    refresh_token: z.string().check(z.maxLength(256)),
  }),
  z.object({ type: z.literal('pair_denied'), code: errorCode }),
]);
export type PairOutcome = z.infer<typeof pairOutcome>;
