import * as z from 'zod/mini';
import { blockId } from '../ids.ts';
import { limits } from '../limits.ts';
import { common, text } from './fields.ts';

const language = z.optional(
  z.string().check(z.maxLength(limits.languageChars), z.regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)),
);

/** What has been understood so far of something that is being said. */
export const speechPartial = z.object({
  type: z.literal('stt_partial'),
  ...common,
  id: blockId,
  stt_id: blockId,
  text,
  language,
});

/** What was said. */
export const speechFinal = z.object({
  type: z.literal('stt_final'),
  ...common,
  id: blockId,
  stt_id: blockId,
  text,
  language,
});
