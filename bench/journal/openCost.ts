import * as z from 'zod/mini';

/** What it cost to open a session, up to the first content that is shown. */
export const openCost = z.object({
  ms: z.number(),
  readBytes: z.number(),
  /** Peak memory of the process above what it had before. */
  extraBytes: z.number(),
  /** Blocks that were read to be shown. */
  told: z.number(),
});
export type OpenCost = z.infer<typeof openCost>;
