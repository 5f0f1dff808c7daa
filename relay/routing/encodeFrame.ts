import type { ToApp, ToBridge } from '../../core/protocol/relayFrame.ts';

/** The text of a frame. */
export function encodeFrame(frame: ToApp | ToBridge): string {
  return JSON.stringify(frame);
}
