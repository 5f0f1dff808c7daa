import { messageFormat, parseJson } from '../../core/protocol/parseJson.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { controlSession, pairingSession, type SessionId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import { fromApp, type FromApp, type SessionResume } from '../../core/protocol/relayFrame.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { encodeControl, encodeFrame } from './encodeFrame.ts';
import type { Hub } from './hub.ts';
import type { AppLink, BridgeLink, PairingLink, PhoneLink } from './link.ts';

/** What became of a frame; `malformed` ends the connection. */
export type FrameOutcome = 'forwarded' | 'refused' | 'ignored' | 'malformed' | 'bad_mac';

type Route = Result<BridgeLink, Extract<ErrorCode, 'owner_unavailable' | 'not_found' | 'stale_session'>>;

const format = messageFormat(fromApp);
const CONTROL = 'ctl:';
const PAIRING = 'pair:';

/** Routes one frame of a phone to the window it is for. A promise, which never rejects, when its token is checked first. */
export function routeFromApp(hub: Hub, link: AppLink, text: string): FrameOutcome | Promise<FrameOutcome> {
  const parsed = parseJson(text, format, limits.frameBytes);
  if (!parsed.ok) return parsed.code === 'unknown_type' ? 'ignored' : 'malformed';
  const frame = parsed.value;
  const route = link.kind === 'phone' ? routeOf(hub, link, frame) : pairingRouteOf(hub, link, frame);
  // What nobody could answer costs no check of its token.
  if (route.ok && link.kind === 'phone' && frame.type === 'session_resume') return resume(hub, link, frame);
  return deliver(route, link, frame);
}

async function resume(hub: Hub, link: PhoneLink, frame: SessionResume): Promise<FrameOutcome> {
  const isAllowed = await hub.permits.allows(frame.resume_token ?? '', link, frame.session_id);
  // Meanwhile the phone may have been revoked or replaced, or the window may have gone.
  if (hub.group(link.bridgeId)?.phones.get(link.deviceId) !== link) return 'ignored';
  return isAllowed ? deliver(routeOf(hub, link, frame), link, frame) : refuse(link, frame, 'unauthorized');
}

function deliver(route: Route, link: AppLink, frame: FromApp): FrameOutcome {
  if (!route.ok) return refuse(link, frame, route.code);
  route.value.endpoint.send(encodeFor(frame, link));
  return 'forwarded';
}

function refuse(link: AppLink, frame: FromApp, code: ErrorCode): FrameOutcome {
  const request = frame.type === 'control' ? {} : { request_id: frame.request_id };
  const message = code === 'unauthorized' ? 'this token does not open this' : 'no window to deliver this to';
  link.endpoint.send(encodeFrame({ type: 'error', code, message, session_id: frame.session_id, ...request }));
  return 'refused';
}

/**
 * What a phone says of itself does not count: the device id is the one that it proved, or none. Its token stays here: it
 * was for the relay.
 */
function encodeFor(frame: FromApp, link: AppLink): string {
  const device = link.kind === 'phone' ? link.deviceId : undefined;
  if (frame.type === 'control') return encodeControl(frame, device);
  const forwarded = { ...frame };
  if (forwarded.type === 'session_resume') delete forwarded.resume_token;
  if (device === undefined) delete forwarded.device_id;
  else forwarded.device_id = device;
  return encodeFrame(forwarded);
}

function routeOf(hub: Hub, link: PhoneLink, frame: FromApp): Route {
  const group = hub.group(link.bridgeId);
  if (group === undefined || group.instances.size === 0) return fail('owner_unavailable');
  const session = frame.session_id;
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
function pairingRouteOf(hub: Hub, link: PairingLink, frame: FromApp): Route {
  if (frame.session_id !== pairingSession(link.pairId)) return fail('not_found');
  if (frame.type === 'session_resume') return fail('not_found');
  if (frame.type === 'session_request' && frame.instance_id !== link.instanceId) return fail('not_found');
  const window = hub.group(link.bridgeId)?.instances.get(link.instanceId);
  return window === undefined ? fail('owner_unavailable') : ok(window);
}
