import { encodeBinaryEnvelope } from '../protocol/envelope/binaryEnvelope.ts';
import { frameOf, type BlockEnvelope, type ControlEnvelope } from '../protocol/envelope/envelopeValue.ts';
import type { Encoding } from '../protocol/envelope/subprotocol.ts';
import type { ClientHello, FromApp, FromBridge, Register, ToApp, ToBridge } from '../protocol/relayFrame.ts';

/** What travels between a peer and its relay, envelopes as values: only the socket knows their encoding. */
export type FromBridgeMessage = Exclude<FromBridge, { type: 'block' }> | BlockEnvelope;
export type ToBridgeMessage = Exclude<ToBridge, { type: 'control' }> | ControlEnvelope;
export type FromAppMessage = Exclude<FromApp, { type: 'control' }> | ControlEnvelope;
export type ToAppMessage = Exclude<ToApp, { type: 'block' }> | BlockEnvelope;

/** @returns one WebSocket message: text, or bytes for an envelope on a connection that chose so */
export function encodeMessage(
  message: Register | ClientHello | FromBridgeMessage | FromAppMessage,
  encoding: Encoding,
): string | Uint8Array<ArrayBuffer> {
  if (message.type !== 'block' && message.type !== 'control') return JSON.stringify(message);
  return encoding === 'binary' ? encodeBinaryEnvelope(message) : JSON.stringify(frameOf(message));
}
