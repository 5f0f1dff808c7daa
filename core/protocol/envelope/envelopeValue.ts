import { base64 } from '@scure/base';
import { decodeBase64 } from '../base64.ts';
import { deviceId, type DeviceId, type SessionId } from '../ids.ts';
import type { BlockFrame, BlockHint, ControlFrame } from '../relayFrame.ts';
import { toTimestamp } from '../timestamp.ts';

/**
 * Seconds with a fraction, as JSON has the time, name each millisecond exactly up to 2^42 seconds, some 139,000 years. No
 * later time is taken in either encoding, so that both always carry the same.
 */
export const maxTimeMs = 2 ** 42 * 1000 - 1;

interface Sealed {
  readonly sessionId: SessionId;
  /** Unix milliseconds, an integer from 0 to `maxTimeMs` (rule K12). */
  readonly timeMs: number;
  /** nonce(12), ciphertext, tag(16), as they are. */
  readonly enc: Uint8Array;
}

/** From a bridge to a phone. */
export interface BlockEnvelope extends Sealed {
  readonly type: 'block';
  readonly hint: BlockHint;
  readonly replay: boolean;
  /** A device or group; absent while pairing. */
  readonly dest?: string;
  /** 16 bytes of a MAC or 64 of a signature, between bridge and relay. */
  readonly sig?: Uint8Array;
}

/** From a phone to a bridge. */
export interface ControlEnvelope extends Sealed {
  readonly type: 'control';
  /** Added by the relay, for the bridge. */
  readonly deviceId?: DeviceId;
}

/** A sealed message with what the relay needs to carry it: one value, whichever encoding it travels in. */
export type Envelope = BlockEnvelope | ControlEnvelope;

/** @returns undefined when `enc`, `sig` or the time is malformed */
export function envelopeOf(frame: BlockFrame | ControlFrame): Envelope | undefined {
  const timeMs = Math.round(frame.server_ts * 1000);
  const enc = decodeBase64(frame.enc);
  if (enc === undefined || timeMs < 0 || timeMs > maxTimeMs) return undefined;
  const sealed = { sessionId: frame.session_id, timeMs, enc };
  if (frame.type === 'control')
    return {
      type: 'control',
      ...sealed,
      ...(frame.device_id === undefined ? {} : { deviceId: frame.device_id }),
    };
  const sig = frame.sig === undefined ? undefined : decodeBase64(frame.sig);
  if (frame.sig !== undefined && sig === undefined) return undefined;
  return {
    type: 'block',
    ...sealed,
    hint: frame.block_type,
    replay: frame.replay,
    ...(frame.dest === undefined ? {} : { dest: frame.dest }),
    ...(sig === undefined ? {} : { sig }),
  };
}

/** The documented JSON form. */
export function frameOf(envelope: BlockEnvelope): BlockFrame;
export function frameOf(envelope: ControlEnvelope): ControlFrame;
export function frameOf(envelope: Envelope): BlockFrame | ControlFrame;
export function frameOf(envelope: Envelope): BlockFrame | ControlFrame {
  const sealed = {
    session_id: envelope.sessionId,
    enc: base64.encode(envelope.enc),
    server_ts: toTimestamp(envelope.timeMs),
  };
  if (envelope.type === 'control') {
    const device = envelope.deviceId;
    return {
      type: 'control',
      ...sealed,
      ...(device === undefined ? {} : { device_id: deviceId.parse(device) }),
    };
  }
  const { hint, replay, dest, sig } = envelope;
  return {
    type: 'block',
    ...sealed,
    block_type: hint,
    replay,
    ...(dest === undefined ? {} : { dest }),
    ...(sig === undefined ? {} : { sig: base64.encode(sig) }),
  };
}
