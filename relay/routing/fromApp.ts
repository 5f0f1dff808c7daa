import { messageFormat, parseJson } from '../../core/protocol/parseJson.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { controlSession, pairingSession, type SessionId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import { fromApp, type FromApp } from '../../core/protocol/relayFrame.ts';
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

/** Routes one frame of a phone to the window it is for. */
export function routeFromApp(hub: Hub, link: AppLink, text: string): FrameOutcome {
  const parsed = parseJson(text, format, limits.frameBytes);
  if (!parsed.ok) return parsed.code === 'unknown_type' ? 'ignored' : 'malformed';
  const frame = parsed.value;
  const route = link.kind === 'phone' ? routeOf(hub, link, frame) : pairingRouteOf(hub, link, frame);
  if (!route.ok) {
    const request = frame.type === 'control' ? {} : { request_id: frame.request_id };
    link.endpoint.send(
      encodeFrame({
        type: 'error',
        code: route.code,
        message: 'no window to deliver this to',
        session_id: frame.session_id,
        ...request,
      }),
    );
    return 'refused';
  }
  route.value.endpoint.send(encodeFor(frame, link));
  return 'forwarded';
}

/** What a phone says of itself does not count: the device id is the one that it proved, or none. */
function encodeFor(frame: FromApp, link: AppLink): string {
  const device = link.kind === 'phone' ? link.deviceId : undefined;
  if (frame.type === 'control') return encodeControl(frame, device);
  const forwarded = { ...frame };
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
