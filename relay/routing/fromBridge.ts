import { GROUP_DEST_PREFIX, verifyFrameSig, type LinkFrame } from '../../core/crypto/envMac.ts';
import type { LinkPort } from '../../core/crypto/linkPort.ts';
import { decodeBinaryEnvelope } from '../../core/protocol/envelope/binaryEnvelope.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { deviceId, pairId, type SessionId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import { messageFormat, parseJson } from '../../core/protocol/parseJson.ts';
import { fromBridge, type FromBridge } from '../../core/protocol/relayFrame.ts';
import type { BridgeGroup } from './bridgeGroup.ts';
import { encodeBlock, type CarriedBlock } from './encodeEnvelope.ts';
import type { FrameOutcome } from './fromApp.ts';
import type { Hub } from './hub.ts';
import type { AppLink, BridgeLink } from './link.ts';

const format = messageFormat(fromBridge);
const PAIRING = 'pair:';
const CONTROL = 'ctl:';

/**
 * Verifies and routes one frame of a window to the phone it is for. A block has one form a connection, text or bytes as its
 * subprotocol says: a second one would only be a second way in.
 */
export function routeFromBridge(
  hub: Hub,
  port: LinkPort,
  link: BridgeLink,
  message: string | Uint8Array,
): FrameOutcome {
  const group = hub.group(link.bridgeId);
  if (typeof message !== 'string') {
    const decoded = decodeBinaryEnvelope(message);
    if (!decoded.ok || decoded.value.type !== 'block') return 'malformed';
    return group === undefined ? 'ignored' : forwardBlock(group, port, link, decoded.value);
  }
  const parsed = parseJson(message, format, limits.frameBytes);
  if (!parsed.ok) return parsed.code === 'unknown_type' ? 'ignored' : 'malformed';
  const frame = parsed.value;
  if (frame.type === 'block' && link.endpoint.encoding === 'binary') return 'malformed';
  // A window that is connected keeps its group; without one there is nobody to send to.
  if (group === undefined) return 'ignored';
  switch (frame.type) {
    case 'session_opened':
      return openSession(group, link, frame);
    case 'session_closed':
      if (frame.instance_id !== link.instanceId) return refuse(link, 'not_owner', frame.session_id);
      group.sessions.release(frame.session_id, link);
      return 'forwarded';
    // Nobody is woken yet.
    case 'push_hint':
      return 'ignored';
    case 'block':
      return forwardBlock(group, port, link, frame);
    case 'session_accept':
    case 'error':
      return forward(group, link, frame);
  }
}

function openSession(
  group: BridgeGroup,
  link: BridgeLink,
  frame: Extract<FromBridge, { type: 'session_opened' }>,
): FrameOutcome {
  const session = frame.session_id;
  if (session.startsWith(PAIRING) || session.startsWith(CONTROL)) return 'malformed';
  if (frame.instance_id !== link.instanceId) return refuse(link, 'not_owner', session);
  const isNews = group.sessions.holderOf(session) === undefined;
  if (group.sessions.claim(session, link) !== 'claimed') return refuse(link, 'busy', session);
  if (isNews) group.announceSession();
  return 'forwarded';
}

function forwardBlock(
  group: BridgeGroup,
  port: LinkPort,
  link: BridgeLink,
  block: CarriedBlock,
): FrameOutcome {
  const { frame, sig } = linkFrameOf(block);
  if (!verifyFrameSig(port, link.authentication, link.connSeq, frame, sig)) return 'bad_mac';
  link.connSeq += 1;
  const { dest } = block;
  const session = 'session_id' in block ? block.session_id : block.sessionId;
  if (dest?.startsWith(GROUP_DEST_PREFIX) === true) return refuse(link, 'unsupported_operation', session);
  if (!mayUse(group, link, session)) return refuse(link, 'not_owner', session);
  const to = addressee(group, link, session, dest)?.endpoint;
  // A phone that is not there is no error: its window heard client_gone.
  if (to === undefined) return 'forwarded';
  const message = encodeBlock(block, to.encoding);
  if (message === undefined) return 'ignored';
  if (message.length > limits.frameBytes) return refuse(link, 'frame_too_large', session);
  to.send(message);
  return 'forwarded';
}

function linkFrameOf(block: CarriedBlock): {
  readonly frame: LinkFrame;
  readonly sig: Uint8Array | undefined;
} {
  if (!('session_id' in block)) {
    const { sessionId, dest, hint, replay, timeMs, enc, sig } = block;
    return { frame: { sessionId, dest, blockType: hint, replay, serverTsMs: timeMs, enc }, sig };
  }
  const frame = {
    sessionId: block.session_id,
    dest: block.dest,
    blockType: block.block_type,
    replay: block.replay,
    // Rule K12; the schema's bound keeps it within 2^53.
    serverTsMs: Math.round(block.server_ts * 1000),
    enc: Buffer.from(block.enc, 'base64'),
  };
  return { frame, sig: block.sig === undefined ? undefined : Buffer.from(block.sig, 'base64') };
}

function forward(
  group: BridgeGroup,
  link: BridgeLink,
  frame: Extract<FromBridge, { type: 'session_accept' | 'error' }>,
): FrameOutcome {
  const { dest, ...rest } = frame;
  if (frame.session_id !== undefined && !mayUse(group, link, frame.session_id))
    return refuse(link, 'not_owner', frame.session_id);
  addressee(group, link, frame.session_id, dest)?.endpoint.tell(rest);
  return 'forwarded';
}

/** A window speaks in its own sessions and in those that nobody announced yet, never in another window's. */
function mayUse(group: BridgeGroup, link: BridgeLink, session: SessionId): boolean {
  if (session.startsWith(CONTROL)) return session.slice(CONTROL.length) === link.instanceId;
  const holder = group.sessions.holderOf(session);
  return holder === undefined || holder === link;
}

/** A phone of this bridge, or the one that pairs with this very window. */
function addressee(
  group: BridgeGroup,
  link: BridgeLink,
  session: SessionId | undefined,
  dest: string | undefined,
): AppLink | undefined {
  if (session?.startsWith(PAIRING) === true) {
    const pair = pairId.safeParse(session.slice(PAIRING.length));
    const pairing = pair.success ? group.pairings.get(pair.data) : undefined;
    return pairing?.instanceId === link.instanceId ? pairing : undefined;
  }
  const device = deviceId.safeParse(dest);
  return device.success ? group.phones.get(device.data) : undefined;
}

function refuse(link: BridgeLink, code: ErrorCode, session: SessionId): FrameOutcome {
  const message = 'the relay did not deliver this';
  link.endpoint.tell({ type: 'error', code, message, session_id: session });
  return 'refused';
}
