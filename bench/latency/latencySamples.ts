import * as z from 'zod/mini';

/** One turn: three ways there and back, one after the other, in milliseconds. */
export const latencySample = z.object({
  /** From a prompt on the phone to the first block of the agent's answer there. */
  answerMs: z.number(),
  /** Through as many bare `ws` processes. */
  chainMs: z.number(),
  /** To one bare `ws` server. */
  echoMs: z.number(),
});
export type LatencySample = z.infer<typeof latencySample>;

/** What the phone's program prints at its end. */
export const latencySamples = z.object({
  turns: z.array(latencySample),
  /** Length of a bare message, which is that of the frame in which the answer before it began; the median. */
  messageBytes: z.number(),
  /** Between phone and relay in all these turns, both ways. */
  frames: z.number(),
  /** Processor time in that time, in microseconds; left out where the system does not tell. */
  relayUs: z.optional(z.number()),
  bridgeUs: z.optional(z.number()),
});
export type LatencySamples = z.infer<typeof latencySamples>;
