import * as z from 'zod/mini';
import { base64Bytes } from './base64Text.ts';
import { name } from './block/fields.ts';
import { errorCode } from './errorCode.ts';
import { deviceId } from './ids.ts';

/** Last frame of a pairing channel. */
export const pairOutcome = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('pair_done'),
    K_b: base64Bytes(32),
    device_id: deviceId,
    role: z.enum(['owner', 'co_driver', 'viewer']),
    /** Name of the machine, for the phone's list. */
    machine: name,
    access_token: z.string().check(z.maxLength(256)),
    refresh_token: z.string().check(z.maxLength(256)),
  }),
  z.object({ type: z.literal('pair_denied'), code: errorCode }),
]);
export type PairOutcome = z.infer<typeof pairOutcome>;
