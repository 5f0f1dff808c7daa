import { encodeBinaryEnvelope } from '../protocol/envelope/binaryEnvelope.ts';
import { frameOf, type BlockEnvelope, type ControlEnvelope } from '../protocol/envelope/envelopeValue.ts';
import type { Encoding } from '../protocol/envelope/subprotocol.ts';
import {
  clientHello,
  fromApp,
  fromBridge,
  register,
  type ClientHello,
  type FromApp,
  type FromBridge,
  type Register,
  type ToApp,
  type ToBridge,
} from '../protocol/relayFrame.ts';
import { strictJson } from '../protocol/strictJson.ts';

/** What travels between a peer and its relay, envelopes as values: only the socket knows their encoding. */
export type FromBridgeMessage = Exclude<FromBridge, { type: 'block' }> | BlockEnvelope;
export type ToBridgeMessage = Exclude<ToBridge, { type: 'control' }> | ControlEnvelope;
export type FromAppMessage = Exclude<FromApp, { type: 'control' }> | ControlEnvelope;
export type ToAppMessage = Exclude<ToApp, { type: 'block' }> | BlockEnvelope;

/** What a peer says to its relay. */
export type ToRelayMessage = Register | ClientHello | FromBridgeMessage | FromAppMessage;

/** One WebSocket message: bytes on a connection that chose so, else text. */
export function encodeEnvelope(
  envelope: BlockEnvelope | ControlEnvelope,
  encoding: Encoding,
): string | Uint8Array<ArrayBuffer> {
  return encoding === 'binary' ? encodeBinaryEnvelope(envelope) : JSON.stringify(frameOf(envelope));
}

/**
 * @returns one WebSocket message: text, or bytes for an envelope on a connection that chose so. Undefined for a frame that
 *   its own schema refuses: it must not be sent. An envelope is sealed, and its fields are our own
 */
export function encodeMessage(
  message: ToRelayMessage,
  encoding: Encoding,
): string | Uint8Array<ArrayBuffer> | undefined {
  switch (message.type) {
    case 'block':
    case 'control':
      return encodeEnvelope(message, encoding);
    case 'register':
      return strictJson(register, message);
    case 'client_hello':
      return strictJson(clientHello, message);
    case 'session_accept':
    case 'session_opened':
    case 'session_closed':
    case 'error':
    case 'push_hint':
      return strictJson(fromBridge, message);
    case 'session_request':
    case 'session_resume':
      return strictJson(fromApp, message);
  }
}
