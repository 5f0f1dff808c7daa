import * as z from 'zod/mini';
import { bridgeId, deviceId, instanceId, pairId } from './ids.ts';
import { base64Bytes } from './base64Text.ts';
import { errorCode } from './errorCode.ts';
import { retryAfterSeconds } from './retryAfter.ts';
import { timestamp } from './timestamp.ts';

const token = z.string().check(z.minLength(1), z.maxLength(256));

/** POST /v1/pair/start, by a registered bridge (bearer: the token of `registered`). */
export const pairStartRequest = z.object({ bridge_id: bridgeId, instance_id: instanceId });
/** How the bridge's pairing is called, and until when it can be claimed. */
export const pairStartResponse = z.object({ pair_id: pairId, expires_at: timestamp });

/** POST /v1/pair/claim, by a phone: a socket ticket for `pair:<pair_id>`. Tries are counted by address. */
export const pairClaimRequest = z.object({ pair_id: pairId });
/** The ticket is good for one `client_hello`. */
export const pairClaimResponse = z.object({ pair_ticket: token });

/** POST /v1/pair/confirm, by the bridge once the typed code matched. */
export const pairConfirmRequest = z.object({
  pair_id: pairId,
  device_id: deviceId,
  /** The phone's ECDSA P-256 key, 65 bytes uncompressed. */
  K_d: base64Bytes(65),
  role: z.enum(['owner', 'co_driver', 'viewer']),
});
/** Answer to a confirmation, for the bridge to pass on, and to a refresh: short-lived access, and one refresh. */
export const tokenPair = z.object({ access_token: token, refresh_token: token, expires_at: timestamp });
export type TokenPair = z.infer<typeof tokenPair>;

/** POST /v1/pair/cancel, by the bridge: the code was wrong, or the panel was closed. */
export const pairCancelRequest = z.object({ pair_id: pairId });

/**
 * POST /v1/token/refresh, by a phone. `proof` is the device key's signature over the refresh token
 * (label " refresh", lp(origin), lp(device_id), lp(refresh_token)), so a stolen token is worth nothing by itself.
 */
export const tokenRefreshRequest = z.object({
  device_id: deviceId,
  refresh_token: token,
  proof: base64Bytes(64),
});

/** The body of every refusal. */
export const apiError = z.object({
  error: z.object({
    code: errorCode,
    message: z.string().check(z.maxLength(300)),
    retry_after_s: z.optional(retryAfterSeconds),
  }),
});
