import * as z from 'zod/mini';
import { agentId, bridgeId, deviceId, instanceId, requestId, sessionId } from './ids.ts';
import { base64Bytes, base64Text } from './base64Text.ts';
import { errorCode } from './errorCode.ts';
import { limits } from './limits.ts';
import { retryAfterSeconds } from './retryAfter.ts';
import { timestamp } from './timestamp.ts';

const v = z.literal(1);
const agents = z.array(agentId).check(z.maxLength(limits.agentsListed));
const instances = z.array(instanceId).check(z.maxLength(limits.agentsListed));

/** What the relay may know of a block: a coarse class, authenticated as additional data. */
export const blockHint = z.enum(['text', 'tool', 'attention', 'state', 'bulk', 'control']);
export type BlockHint = z.infer<typeof blockHint>;

/** The relay speaks first: a nonce to sign and an ephemeral X25519 key to agree a MAC key with. */
export const challenge = z.object({
  type: z.literal('challenge'),
  v,
  nonce: base64Bytes(32),
  e_r: base64Bytes(32),
  server_time: timestamp,
});
export type Challenge = z.infer<typeof challenge>;

/** A bridge window proves its identity; `sig` covers every other field (protocol.md K14). */
export const register = z.object({
  type: z.literal('register'),
  v,
  bridge_id: bridgeId,
  instance_id: instanceId,
  /** The bridge's Ed25519 public key; `bridge_id` is its hash, so there is no first-come trust. */
  k_b: base64Bytes(32),
  sig_mode: z.enum(['mac', 'ed25519']),
  e_b: base64Bytes(32),
  resumable_session_ids: z.array(sessionId).check(z.maxLength(limits.resumableSessions)),
  agents,
  sig: base64Bytes(64),
});
export type Register = z.infer<typeof register>;

export const registered = z.object({
  type: z.literal('registered'),
  conn_id: z.string().check(z.maxLength(limits.idChars)),
  /** Bearer token for the bridge's HTTP calls, bound to this bridge; valid as long as the socket. */
  access_token: z.string().check(z.maxLength(256)),
  limits: z.object({
    frame: z.int().check(z.gte(0)),
    in_flight: z.int().check(z.gte(0)),
    queue: z.int().check(z.gte(0)),
  }),
});
export type Registered = z.infer<typeof registered>;

/** A paired phone proves its device key; a phone that pairs shows its ticket instead. */
export const clientHello = z.union([
  z.object({
    type: z.literal('client_hello'),
    v,
    device_id: deviceId,
    access_token: z.string().check(z.minLength(1), z.maxLength(256)),
    proof: base64Bytes(64),
  }),
  z.object({
    type: z.literal('client_hello'),
    v,
    pair_ticket: z.string().check(z.minLength(1), z.maxLength(256)),
  }),
]);
export type ClientHello = z.infer<typeof clientHello>;

export const relayStatus = z.object({
  type: z.literal('relay_status'),
  bridge_online: z.boolean(),
  instances,
  agents,
  /** By session id: those that this connection has not carried yet. A phone adds them to the ones it has. */
  resume_tokens: z
    .record(
      z.string().check(z.maxLength(limits.idChars)),
      z.string().check(z.maxLength(limits.resumeTokenChars)),
    )
    .check(z.refine(tokens => Object.keys(tokens).length <= limits.resumableSessions)),
  server_time: timestamp,
});
export type RelayStatus = z.infer<typeof relayStatus>;

/** Noise message 1 rides `ios_epk`. The relay adds `device_id` towards the bridge, and strips one that a phone sent. */
export const sessionRequest = z.object({
  type: z.literal('session_request'),
  instance_id: instanceId,
  session_id: sessionId,
  request_id: requestId,
  ios_epk: base64Text(256),
  device_id: z.optional(deviceId),
});
export type SessionRequest = z.infer<typeof sessionRequest>;

/** As session_request, for a session that a token names. The relay checks the token, and does not pass it on. */
export const sessionResume = z.object({
  type: z.literal('session_resume'),
  session_id: sessionId,
  request_id: requestId,
  /** One that cannot be a token reads as an empty one: it is refused, and the connection goes on. */
  resume_token: z.optional(z.catch(z.string().check(z.maxLength(limits.resumeTokenChars)), '')),
  since_ts: z.optional(timestamp),
  ios_epk: base64Text(256),
  device_id: z.optional(deviceId),
});
export type SessionResume = z.infer<typeof sessionResume>;

/** Noise message 2 rides `bridge_epk`. `dest` is absent while pairing. */
export const sessionAccept = z.object({
  type: z.literal('session_accept'),
  session_id: sessionId,
  request_id: requestId,
  bridge_epk: base64Text(128),
  generation: z.int().check(z.gte(0)),
  dest: z.optional(deviceId),
});
export type SessionAccept = z.infer<typeof sessionAccept>;

/** The documented envelope, bridge to phone. The relay verifies and strips `sig`. */
export const blockFrame = z.object({
  type: z.literal('block'),
  session_id: sessionId,
  block_type: blockHint,
  enc: base64Text(limits.frameBytes),
  sig: z.optional(base64Text(88)),
  replay: z.boolean(),
  server_ts: timestamp,
  dest: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_.:-]{1,128}$/))),
});
export type BlockFrame = z.infer<typeof blockFrame>;

/** The envelope from phone to bridge. The relay adds `device_id`, so that a bridge can bound each device. */
export const controlFrame = z.object({
  type: z.literal('control'),
  session_id: sessionId,
  enc: base64Text(limits.frameBytes),
  server_ts: timestamp,
  device_id: z.optional(deviceId),
});
export type ControlFrame = z.infer<typeof controlFrame>;

/** A bridge announces what it opened after `register`. */
export const sessionOpened = z.object({
  type: z.literal('session_opened'),
  session_id: sessionId,
  instance_id: instanceId,
});
export const sessionClosed = z.object({
  type: z.literal('session_closed'),
  session_id: sessionId,
  instance_id: instanceId,
});

export const bridgeGone = z.object({ type: z.literal('bridge_gone'), instance_id: instanceId });
export const clientGone = z.object({ type: z.literal('client_gone'), device_id: deviceId });

/** The relay goes, on purpose: what is connected comes back later. Sent by no relay yet; who gets one waits for the close. */
export const bye = z.object({ type: z.literal('bye'), retry_after_s: z.optional(retryAfterSeconds) });

/** Padded base64 of the most that a push service takes. */
const pushBodyChars = Math.ceil(limits.pushBodyBytes / 3) * 4;

/**
 * A bridge would have a phone that is not there woken. `body` is sealed for that phone's browser (RFC 8291), and `collapse_id`
 * replaces a message that waits (RFC 8030). Sent by no bridge yet, and ignored by the relay.
 */
export const pushHint = z.object({
  type: z.literal('push_hint'),
  session_id: sessionId,
  class: z.enum(['approval', 'question', 'done', 'error']),
  body: base64Text(pushBodyChars),
  collapse_id: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,32}$/)),
});

/** A refusal. Routing fields say what was refused; the text is for logs, users read our own words for the code. */
export const errorFrame = z.object({
  type: z.literal('error'),
  code: errorCode,
  message: z.string().check(z.maxLength(300)),
  session_id: z.optional(sessionId),
  request_id: z.optional(requestId),
  dest: z.optional(deviceId),
  retry_after_s: z.optional(retryAfterSeconds),
});
export type ErrorFrame = z.infer<typeof errorFrame>;

/** What a phone of a newer version asks of a relay that does not know it: it is answered `unsupported_operation`. */
export const unrecognisedRequest = z.object({
  type: z.string().check(z.minLength(1), z.maxLength(64)),
  request_id: requestId,
});

export const fromBridge = z.discriminatedUnion('type', [
  sessionAccept,
  blockFrame,
  sessionOpened,
  sessionClosed,
  pushHint,
  errorFrame,
]);
export type FromBridge = z.infer<typeof fromBridge>;

export const toBridge = z.discriminatedUnion('type', [
  challenge,
  registered,
  sessionRequest,
  sessionResume,
  controlFrame,
  clientGone,
  bye,
  errorFrame,
]);
export type ToBridge = z.infer<typeof toBridge>;

export const fromApp = z.discriminatedUnion('type', [sessionRequest, sessionResume, controlFrame]);
export type FromApp = z.infer<typeof fromApp>;

export const toApp = z.discriminatedUnion('type', [
  challenge,
  relayStatus,
  sessionAccept,
  blockFrame,
  bridgeGone,
  bye,
  errorFrame,
]);
export type ToApp = z.infer<typeof toApp>;
