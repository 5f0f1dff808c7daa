import { encodeBinaryEnvelope } from '../../core/protocol/envelope/binaryEnvelope.ts';
import {
  envelopeOf,
  type BlockEnvelope,
  type ControlEnvelope,
} from '../../core/protocol/envelope/envelopeValue.ts';
import type { Encoding } from '../../core/protocol/envelope/subprotocol.ts';
import type { DeviceId } from '../../core/protocol/ids.ts';
import type { BlockFrame, ControlFrame } from '../../core/protocol/relayFrame.ts';
import { toTimestamp } from '../../core/protocol/timestamp.ts';

/** An envelope as it came: a frame of JSON text, or a binary message. */
export type CarriedBlock = BlockFrame | BlockEnvelope;
export type CarriedControl = ControlFrame | ControlEnvelope;

/** nonce and tag: a receiver drops what is shorter (rule K6), and there is no binary form of it. */
const leastEncBytes = 28;

/**
 * A verified block on its way to a phone, without `sig` and `dest`. What came as JSON goes out as JSON with the time and
 * the base64 as they came: only the other encoding costs a conversion.
 *
 * @returns nothing for a block that nobody could open: the other encoding has no form of it
 */
export function encodeBlock(block: CarriedBlock, to: Encoding): string | Uint8Array | undefined {
  if (!('session_id' in block)) return to === 'binary' ? bareBlock(block) : blockText(frameOfBlock(block));
  if (to === 'json') return blockText(block);
  const envelope = envelopeOf(block);
  return envelope?.type === 'block' && isOpenable(envelope) ? bareBlock(envelope) : undefined;
}

/**
 * A control on its way to a bridge, marked with the device that proved itself; while pairing there is none.
 *
 * @returns nothing for a control that nobody could open, as for a block
 */
export function encodeControl(
  control: CarriedControl,
  device: DeviceId | undefined,
  to: Encoding,
): string | Uint8Array | undefined {
  if (!('session_id' in control))
    return to === 'binary' ? markedControl(control, device) : controlText(frameOfControl(control), device);
  if (to === 'json') return controlText(control, device);
  const envelope = envelopeOf(control);
  return envelope?.type === 'control' && isOpenable(envelope) ? markedControl(envelope, device) : undefined;
}

/** Every string was checked against an alphabet that needs no escapes, so it is put together as text: a busy path. */
function blockText(
  frame: Pick<BlockFrame, 'session_id' | 'block_type' | 'enc' | 'replay' | 'server_ts'>,
): string {
  const replay = frame.replay ? 'true' : 'false';
  return (
    `{"type":"block","session_id":"${frame.session_id}","block_type":"${frame.block_type}",` +
    `"enc":"${frame.enc}","replay":${replay},"server_ts":${frame.server_ts}}`
  );
}

function controlText(
  frame: Pick<ControlFrame, 'session_id' | 'enc' | 'server_ts'>,
  device: DeviceId | undefined,
): string {
  const from = device === undefined ? '' : `,"device_id":"${device}"`;
  return (
    `{"type":"control","session_id":"${frame.session_id}","enc":"${frame.enc}",` +
    `"server_ts":${frame.server_ts}${from}}`
  );
}

/** A copy: a view would keep the whole piece that the network read alive for as long as a slow phone takes. */
function bareBlock({ type, sessionId, timeMs, enc, hint, replay }: BlockEnvelope): Uint8Array {
  return encodeBinaryEnvelope({ type, sessionId, timeMs, enc, hint, replay });
}

function markedControl(
  { type, sessionId, timeMs, enc }: ControlEnvelope,
  deviceId: DeviceId | undefined,
): Uint8Array {
  const from = deviceId === undefined ? {} : { deviceId };
  return encodeBinaryEnvelope({ type, sessionId, timeMs, enc, ...from });
}

function frameOfBlock({ hint, replay, ...sealed }: BlockEnvelope) {
  return { ...frameOfControl(sealed), block_type: hint, replay };
}

function frameOfControl({ sessionId, enc, timeMs }: Pick<ControlEnvelope, 'sessionId' | 'enc' | 'timeMs'>) {
  const text = Buffer.from(enc.buffer, enc.byteOffset, enc.byteLength).toString('base64');
  return { session_id: sessionId, enc: text, server_ts: toTimestamp(timeMs) };
}

function isOpenable({ enc }: BlockEnvelope | ControlEnvelope): boolean {
  return enc.length >= leastEncBytes;
}
