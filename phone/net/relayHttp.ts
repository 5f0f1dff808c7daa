import type * as z from 'zod/mini';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { jsonValue } from '../../core/base/jsonValue.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { apiError, pairClaimResponse, tokenPair, type TokenPair } from '../../core/protocol/httpApi.ts';

const timeoutMs = 10_000;
const maxBodyChars = 16_384;

export type HttpFailure = ErrorCode | 'offline';

/** The HTTP address that belongs to a socket address `…/v1/socket`. */
export function httpUrlOf(socketUrl: string): string {
  return socketUrl.replace(/^ws/, 'http').replace(/\/v1\/socket$/, '');
}

/** Takes a place at a pairing. */
export async function claimPairing(socketUrl: string, pairId: string): Promise<Result<string, HttpFailure>> {
  const claimed = await post(socketUrl, '/v1/pair/claim', { pair_id: pairId }, pairClaimResponse);
  return claimed.ok ? ok(claimed.value.pair_ticket) : claimed;
}

export function refreshTokens(
  socketUrl: string,
  body: { readonly device_id: string; readonly refresh_token: string; readonly proof: string },
): Promise<Result<TokenPair, HttpFailure>> {
  return post(socketUrl, '/v1/token/refresh', body, tokenPair);
}

async function post<T>(
  socketUrl: string,
  path: string,
  body: unknown,
  schema: z.ZodMiniType<T>,
): Promise<Result<T, HttpFailure>> {
  try {
    const response = await fetch(`${httpUrlOf(socketUrl)}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (text.length > maxBodyChars) return fail('internal');
    const value = jsonValue(text);
    if (!response.ok) {
      const refusal = apiError.safeParse(value);
      return fail(refusal.success ? refusal.data.error.code : 'internal');
    }
    const parsed = schema.safeParse(value);
    return parsed.success ? ok(parsed.data) : fail('internal');
  } catch {
    // Unreachable, cut off or too slow: all of it is "no relay now".
    return fail('offline');
  }
}
