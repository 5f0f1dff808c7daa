import { jsonValue } from '../../core/base/jsonValue.ts';
import { decodeBinaryEnvelope } from '../../core/protocol/envelope/binaryEnvelope.ts';
import type { ControlEnvelope } from '../../core/protocol/envelope/envelopeValue.ts';
import type { Encoding } from '../../core/protocol/envelope/subprotocol.ts';
import { messageFormat, parseJson } from '../../core/protocol/parseJson.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { controlSession, pairingSession, type SessionId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import {
  fromApp,
  unrecognisedRequest,
  type FromApp,
  type SessionResume,
} from '../../core/protocol/relayFrame.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { encodeControl } from './encodeEnvelope.ts';
import { encodeFrame } from './encodeFrame.ts';
import type { Hub } from './hub.ts';
import type { AppLink, BridgeLink, PairingLink, PhoneLink } from './link.ts';

/** What became of a frame; `malformed` ends the connection. */
export type FrameOutcome = 'forwarded' | 'refused' | 'ignored' | 'malformed' | 'bad_mac';

type Route = Result<BridgeLink, Extract<ErrorCode, 'owner_unavailable' | 'not_found' | 'stale_session'>>;

const undelivered = 'no window to deliver this to';
const words = {
  unauthorized: 'this token does not open this',
  frame_too_large: 'this is too large for its window',
  owner_unavailable: undelivered,
  not_found: undelivered,
  stale_session: undelivered,
} as const satisfies Partial<Record<ErrorCode, string>>;

const format = messageFormat(fromApp);
const CONTROL = 'ctl:';
const PAIRING = 'pair:';

type AppFrame = FromApp | ControlEnvelope;

/**
 * Routes one frame of a phone to the window it is for. A control has one form a connection, as a bridge's block has.
 *
 * @returns a promise, which never rejects, when its token is checked first
 */
export function routeFromApp(
  hub: Hub,
  link: AppLink,
  message: string | Uint8Array,
): FrameOutcome | Promise<FrameOutcome> {
  const frame = readFrame(link, message);
  if (typeof frame === 'string') return frame;
  const route = link.kind === 'phone' ? routeOf(hub, link, frame) : pairingRouteOf(hub, link, frame);
  // What nobody could answer costs no check of its token.
  if (route.ok && link.kind === 'phone' && frame.type === 'session_resume') return resume(hub, link, frame);
  return deliver(route, link, frame);
}

function readFrame(link: AppLink, message: string | Uint8Array): AppFrame | FrameOutcome {
  if (typeof message !== 'string') {
    const decoded = decodeBinaryEnvelope(message);
    return decoded.ok && decoded.value.type === 'control' ? decoded.value : 'malformed';
  }
  const parsed = parseJson(message, format, limits.frameBytes);
  if (!parsed.ok) return parsed.code === 'unknown_type' ? answerUnrecognised(link, message) : 'malformed';
  const isOtherForm = parsed.value.type === 'control' && link.endpoint.encoding === 'binary';
  return isOtherForm ? 'malformed' : parsed.value;
}

/** Who asks for what this relay does not know hears so; what asks for nothing is ignored. */
function answerUnrecognised({ endpoint }: AppLink, asked: string): FrameOutcome {
  const request = unrecognisedRequest.safeParse(jsonValue(asked));
  if (!request.success) return 'ignored';
  const { request_id } = request.data;
  const message = 'this relay does not know how to do this';
  const text = encodeFrame({ type: 'error', code: 'unsupported_operation', message, request_id });
  if (text !== undefined) endpoint.send(text);
  return 'refused';
}

async function resume(hub: Hub, link: PhoneLink, frame: SessionResume): Promise<FrameOutcome> {
  const isAllowed = await hub.permits.allows(frame.resume_token ?? '', link, frame.session_id);
  // Meanwhile the phone may have been revoked or replaced, or the window may have gone.
  if (hub.group(link.bridgeId)?.phones.get(link.deviceId) !== link) return 'ignored';
  return isAllowed ? deliver(routeOf(hub, link, frame), link, frame) : refuse(link, frame, 'unauthorized');
}

function deliver(route: Route, link: AppLink, frame: AppFrame): FrameOutcome {
  if (!route.ok) return refuse(link, frame, route.code);
  const { endpoint } = route.value;
  const message = encodeFor(frame, link, endpoint.encoding);
  if (message === undefined) return 'ignored';
  // The device's name or base64 may have made it longer than a window takes, which would cost the window its connection.
  if (message.length > limits.frameBytes) return refuse(link, frame, 'frame_too_large');
  endpoint.send(message);
  return 'forwarded';
}

function refuse(link: AppLink, frame: AppFrame, code: keyof typeof words): FrameOutcome {
  const request = frame.type === 'control' ? {} : { request_id: frame.request_id };
  const refusal = { code, message: words[code], session_id: sessionOf(frame), ...request };
  link.endpoint.tell({ type: 'error', ...refusal });
  return 'refused';
}

function sessionOf(frame: AppFrame): SessionId {
  return 'sessionId' in frame ? frame.sessionId : frame.session_id;
}

/**
 * What a phone says of itself does not count: the device id is the one that it proved, or none. Its token stays here: it
 * was for the relay.
 */
function encodeFor(frame: AppFrame, link: AppLink, to: Encoding): string | Uint8Array | undefined {
  const device = link.kind === 'phone' ? link.deviceId : undefined;
  if (frame.type === 'control') return encodeControl(frame, device, to);
  const forwarded = { ...frame };
  if (forwarded.type === 'session_resume') delete forwarded.resume_token;
  if (device === undefined) delete forwarded.device_id;
  else forwarded.device_id = device;
  return encodeFrame(forwarded);
}

function routeOf(hub: Hub, link: PhoneLink, frame: AppFrame): Route {
  const group = hub.group(link.bridgeId);
  if (group === undefined || group.instances.size === 0) return fail('owner_unavailable');
  const session = sessionOf(frame);
  if (session.startsWith(PAIRING)) return fail('not_found');
  const holder = session.startsWith(CONTROL)
    ? windowOf(session, [...group.instances.values()])
    : group.sessions.holderOf(session);
  if (frame.type !== 'session_request') return holder === undefined ? fail('stale_session') : ok(holder);
  const window = group.instances.get(frame.instance_id);
  if (window === undefined) return fail('not_found');
  if (session.startsWith(CONTROL)) return holder === window ? ok(window) : fail('not_found');
  return holder === undefined || holder === window ? ok(window) : fail('stale_session');
}

function windowOf(session: SessionId, windows: readonly BridgeLink[]): BridgeLink | undefined {
  return windows.find(window => controlSession(window.instanceId) === session);
}

/** A phone that pairs reaches one session of one window, and only by opening it. */
function pairingRouteOf(hub: Hub, link: PairingLink, frame: AppFrame): Route {
  if (sessionOf(frame) !== pairingSession(link.pairId)) return fail('not_found');
  if (frame.type === 'session_resume') return fail('not_found');
  if (frame.type === 'session_request' && frame.instance_id !== link.instanceId) return fail('not_found');
  const window = hub.group(link.bridgeId)?.instances.get(link.instanceId);
  return window === undefined ? fail('owner_unavailable') : ok(window);
}
