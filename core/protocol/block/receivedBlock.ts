import * as z from 'zod/mini';
import { blockId } from '../ids.ts';
import { timestamp } from '../timestamp.ts';
import { block, type Block } from './block.ts';

const known = new Set<string>(block.def.options.flatMap(option => [...option.def.shape.type.def.values]));

/**
 * A block that this version cannot read: its type is unknown, or it holds a value that is. Its place is kept, so that no
 * `seq` is missing; nothing can be answered, allowed or resolved by it.
 */
export const unrecognisedBlock = z.object({
  type: z.literal('unrecognised'),
  ts: timestamp,
  id: z.optional(blockId),
  /** What the sender calls it. */
  name: z.string().check(z.maxLength(64)),
});
export type UnrecognisedBlock = z.infer<typeof unrecognisedBlock>;
export type ReceivedBlock = Block | UnrecognisedBlock;

const anyBlock = z.object({
  type: z.string().check(z.minLength(1), z.maxLength(64)),
  ts: timestamp,
  id: z.optional(z.unknown()),
});

/** Where a value that this version does not know is read as one that says less, and the rest of the block is kept. */
const fallbacks: ReadonlyMap<string, string> = new Map([
  ['tool_call.kind', 'other'],
  ['tool_result.outcome', 'unknown'],
  ['error.code', 'internal'],
]);

/**
 * A block as a reader takes it: fields that it does not know are ignored (requirement T54). What it cannot read becomes
 * `unrecognised`, a known type only under a sound id; anything else is refused.
 */
export const receivedBlock: z.ZodMiniType<ReceivedBlock> = z.pipe(
  z.unknown(),
  z.transform((value: unknown, context): ReceivedBlock => {
    const read = block.safeParse(value);
    if (read.success) return read.data;
    const any = anyBlock.safeParse(value);
    const mended = any.success ? withFallbacks(any.data.type, value, read.error.issues) : undefined;
    if (mended !== undefined) return mended;
    const id = blockId.safeParse(any.data?.id);
    if (any.success && (id.success || !known.has(any.data.type))) {
      const { ts, type: name } = any.data;
      return { type: 'unrecognised', ts, name, ...(id.success ? { id: id.data } : {}) };
    }
    context.issues.push({ code: 'custom', message: 'no block', input: value });
    return z.NEVER;
  }),
);

/** @returns undefined unless all that is wrong are words that have a fallback */
function withFallbacks(type: string, value: unknown, issues: readonly z.core.$ZodIssue[]): Block | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const mended: Record<string, unknown> = { ...value };
  for (const { path } of issues) {
    const [field] = path;
    const fallback = fallbacks.get(`${type}.${String(field)}`);
    if (typeof field !== 'string' || fallback === undefined || typeof mended[field] !== 'string')
      return undefined;
    mended[field] = fallback;
  }
  return block.safeParse(mended).data;
}
