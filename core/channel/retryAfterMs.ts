import type { ErrorFrame } from '../protocol/relayFrame.ts';

/** Longer is not believed: a relay that wants nobody has no need to say so. */
const longestMs = 300_000;

/** How long the relay asks to be left alone, in ms up to 300,000; undefined: it does not, or speaks of one session alone. */
export function retryAfterMs({ session_id, retry_after_s }: ErrorFrame): number | undefined {
  if (session_id !== undefined || retry_after_s === undefined) return undefined;
  return Math.min(retry_after_s * 1000, longestMs);
}
