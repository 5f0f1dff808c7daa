import * as z from 'zod/mini';
import { toApp, toBridge, type ToApp, type ToBridge } from '../../core/protocol/relayFrame.ts';
import { strictJson } from '../../core/protocol/strictJson.ts';

/** A frame of the relay's own making, or one that it changed: envelopes have a quicker way (encodeEnvelope.ts). */
export type PlainFrame = Exclude<ToApp | ToBridge, { type: 'block' | 'control' }>;

const frames = z.union([toApp, toBridge]);

/** @returns the text of a frame; undefined for one that its own schema refuses, which must not be sent */
export function encodeFrame(frame: PlainFrame): string | undefined {
  return strictJson<ToApp | ToBridge>(frames, frame);
}
