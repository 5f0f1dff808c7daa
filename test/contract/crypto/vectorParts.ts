import { hexToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod/mini';
import { decodeBase64 } from '../../../core/protocol/base64.ts';
import type { ReceivedFrame } from '../../../core/crypto/frameOpener.ts';
import { serverTsToMs } from '../../../core/crypto/serverTime.ts';

/** Hex in the files, bytes in the tests. */
export const hex = z.pipe(
  z.string().check(z.regex(/^([0-9a-f]{2})*$/)),
  z.transform(text => hexToBytes(text)),
);
/** Base64 in the files, bytes in the tests. */
export const base64 = z.pipe(
  z.string(),
  z.transform(text => {
    const bytes = decodeBase64(text);
    if (bytes === undefined) throw new Error(`not base64: ${text}`);
    return bytes;
  }),
);

/** A frame in the files: controls leave out hint and replay, and some negatives leave out sig or dest. */
export const frame = z.object({
  type: z.enum(['block', 'control']),
  session_id: z.string(),
  block_type: z.optional(z.string()),
  replay: z.optional(z.boolean()),
  server_ts: z.number(),
  dest: z.optional(z.string()),
  enc: base64,
  sig: z.optional(base64),
});

/** A register as the files have it. */
export const registerFrame = z.object({
  v: z.number(),
  bridge_id: z.string(),
  instance_id: z.string(),
  sig_mode: z.enum(['mac', 'ed25519']),
  e_b: base64,
  resumable_session_ids: z.array(z.string()),
  agents: z.array(z.string()),
  sig: base64,
});

export type FrameVector = z.infer<typeof frame>;
export type RegisterVector = z.infer<typeof registerFrame>;

/** A vector's frame as the channel and the relay take it. */
export function receivedFrame(vector: FrameVector): ReceivedFrame {
  const serverTsMs = serverTsToMs(vector.server_ts);
  if (serverTsMs === undefined) throw new Error('a vector has an invalid server_ts');
  return {
    type: vector.type,
    sessionId: vector.session_id,
    blockType: vector.block_type ?? 'control',
    replay: vector.replay ?? false,
    serverTsMs,
    dest: vector.dest,
    enc: vector.enc,
  };
}
