import * as z from 'zod/mini';

const codes = [
  'invalid_request',
  'unsupported_operation',
  'unauthorized',
  'revoked',
  'not_found',
  'stale_session',
  'stale_turn',
  'stale_question',
  'stale_approval',
  'digest_mismatch',
  'busy',
  'not_running',
  'not_owner',
  'parked',
  'request_conflict',
  'receipt_capacity',
  'rate_limited',
  'frame_too_large',
  'slow_consumer',
  'incompatible_version',
  'owner_unavailable',
  'resync',
  'replaced',
  'bad_mac',
  'internal',
] as const;

/** Why something was refused. Closed: a code that this version does not know reads as `internal`. */
export type ErrorCode = (typeof codes)[number];

export const errorCode = z.catch(z.enum(codes), 'internal');
