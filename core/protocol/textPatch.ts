import * as z from 'zod/mini';
import { blockId, turnId } from './ids.ts';
import { limits } from './limits.ts';
import { timestamp } from './timestamp.ts';

const chars = z.int().check(z.gte(0), z.lte(limits.textChars));

/**
 * How a growing text changed: everything from `at` on is replaced by `ins`. Positions are UTF-16 units of the text, never
 * inside of a surrogate pair. `rev` 0 begins a text; each next one is made against the revision before it, and a reader that
 * lacks that one ignores it, since the final form comes in any case.
 */
export const textPatch = z.object({
  id: blockId,
  type: z.enum(['text', 'thinking']),
  ts: timestamp,
  turn_id: z.optional(turnId),
  rev: z.int().check(z.gte(0)),
  at: chars,
  ins: z.string().check(z.maxLength(limits.textChars)),
  /** Length of the whole text after this change. */
  full_len: chars,
  /** With the last revision: SHA-256 of the whole text's UTF-8, in lower-case hex. */
  digest: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
  /** Nothing follows; the text's event is told in short when the reader has this revision. */
  done: z.boolean(),
});
export type TextPatch = z.infer<typeof textPatch>;
