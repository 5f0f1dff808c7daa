import assert from 'node:assert/strict';
import { decodeBinaryEnvelope, encodeBinaryEnvelope } from '../../core/protocol/envelope/binaryEnvelope.ts';
import { envelopeOf, frameOf } from '../../core/protocol/envelope/envelopeValue.ts';
import {
  blockFrame,
  controlFrame,
  type BlockFrame,
  type ControlFrame,
} from '../../core/protocol/relayFrame.ts';

/** Whether a frame in the documented form travels in binary on a connection that chose so. */
export function isEnvelope(frame: unknown): frame is object {
  return (
    typeof frame === 'object' &&
    frame !== null &&
    'type' in frame &&
    (frame.type === 'block' || frame.type === 'control')
  );
}

/** An envelope in the documented form as a binary message. */
export function toBytes(frame: object): Uint8Array {
  // As JSON it may be over the bound that it keeps as bytes.
  const rest = { ...frame, enc: '' };
  const block = blockFrame.safeParse(rest);
  const envelope = envelopeOf(block.success ? block.data : controlFrame.parse(rest));
  assert.ok(envelope !== undefined && 'enc' in frame);
  return encodeBinaryEnvelope({ ...envelope, enc: Buffer.from(String(frame.enc), 'base64') });
}

/** A binary message in the documented form. */
export function fromBytes(data: Uint8Array): BlockFrame | ControlFrame {
  const decoded = decodeBinaryEnvelope(data);
  assert.ok(decoded.ok);
  return frameOf(decoded.value);
}
