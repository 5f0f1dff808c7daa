import * as z from 'zod/mini';

/** What the phone's program tells the bridge's. */
export const toBridge = z.discriminatedUnion('kind', [
  /** What the phone shows, to be typed at the desk. */
  z.object({ kind: z.literal('code'), code: z.string() }),
  /** End the agents, then yourself. */
  z.object({ kind: z.literal('end') }),
]);
export type ToBridge = z.infer<typeof toBridge>;

/** What the bridge's program says first: the link that its code on the desk holds. */
export const invitation = z.object({ kind: z.literal('invitation'), link: z.string() });
