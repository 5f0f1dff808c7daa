import * as z from 'zod/mini';
import { block } from '../../core/protocol/block/block.ts';

export const outputPlace = z.object({
  source: z.string().check(z.maxLength(64)),
  end: z.int().check(z.gte(0)),
});
/** The agent's line that an entry was made of: where it ends, and in which process's output. */
export type OutputPlace = z.infer<typeof outputPlace>;

/** A line of a journal, but for the first of a file. */
export const journalEntry = z.object({
  seq: z.int().check(z.gte(1)),
  block,
  from: z.optional(outputPlace),
});
export type JournalEntry = z.infer<typeof journalEntry>;

/** `{"seq":` and the digits of any safe number. */
const prefixBytes = 24;
const prefix = /^\{"seq":(\d{1,16}),/;

/** The `seq` of a line, without a look at the rest of it; undefined when it does not begin as an entry does. */
export function entrySeq(line: Buffer): number | undefined {
  const digits = prefix.exec(line.toString('latin1', 0, prefixBytes))?.[1];
  return digits === undefined ? undefined : Number(digits);
}
