import * as z from 'zod/mini';

/** Unix time in seconds, with a fraction. */
export const timestamp = z.number().check(z.gte(0), z.lte(9_007_199_254_740));

/** Milliseconds as the wire's seconds. */
export function toTimestamp(epochMs: number): number {
  return epochMs / 1000;
}
