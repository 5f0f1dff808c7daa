import * as z from 'zod/mini';
import { base64Bytes } from '../../core/protocol/base64Text.ts';
import { deviceId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';

export const pairedDevice = z.object({
  device_id: deviceId,
  name: z.string().check(z.maxLength(limits.nameChars)),
  role: z.enum(['owner', 'co_driver', 'viewer']),
  /** X25519 public key, by which a handshake finds the device. */
  S_d: base64Bytes(32),
  /** The key before it, while that still opens handshakes: before `until`, in seconds since the epoch. */
  previous: z.optional(z.object({ S_d: base64Bytes(32), until: z.int().check(z.gte(0)) })),
  /** P-256 public key, by which the relay knows it. */
  K_d: base64Bytes(65),
  session_psk: base64Bytes(32),
  /** Seconds since the epoch. */
  paired_at: z.number(),
});
/** A phone that was paired at this desk. */
export type PairedDevice = z.infer<typeof pairedDevice>;
