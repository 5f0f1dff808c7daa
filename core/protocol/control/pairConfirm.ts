import * as z from 'zod/mini';
import { base64Bytes } from '../base64Text.ts';
import { limits } from '../limits.ts';
import { request } from './fields.ts';

/** First frame of a pairing channel: the phone's signing key and its name. */
export const pairConfirm = z.object({
  type: z.literal('pair_confirm'),
  ...request,
  K_d: base64Bytes(65),
  name: z.string().check(z.minLength(1), z.maxLength(limits.nameChars)),
});
export type PairConfirm = z.infer<typeof pairConfirm>;
