import * as z from 'zod/mini';
import { blockId } from '../ids.ts';
import { timestamp } from '../timestamp.ts';
import { block, type Block } from './block.ts';

const known = new Set<string>(block.def.options.flatMap(option => [...option.def.shape.type.def.values]));

/** A block of a type that this version does not know: its place is kept, so that no `seq` is missing. */
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

/**
 * A block as a reader takes it: fields that it does not know are ignored, and so is a type (requirement T54). A broken block
 * of a known type is refused.
 */
export const receivedBlock: z.ZodMiniType<ReceivedBlock> = z.pipe(
  z.pipe(
    z.unknown(),
    z.transform(value => {
      const any = anyBlock.safeParse(value);
      if (!any.success || known.has(any.data.type)) return value;
      const id = blockId.safeParse(any.data.id);
      return {
        type: 'unrecognised',
        ts: any.data.ts,
        name: any.data.type,
        ...(id.success ? { id: id.data } : {}),
      };
    }),
  ),
  z.union([block, unrecognisedBlock]),
);
