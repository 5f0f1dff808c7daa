import type { TokenPair } from '../../core/protocol/httpApi.ts';
import { limits } from '../../core/protocol/limits.ts';
import { toTimestamp } from '../../core/protocol/timestamp.ts';
import { relayLimits } from '../limits/relayLimits.ts';
import { digestOf, newToken } from '../routing/token.ts';
import type { StoredTokenPair } from '../store/registry.ts';

/** A fresh pair of tokens: what the phone gets, and the digests that stay. @param nowMs wall time */
export function newTokens(nowMs: number): { readonly shown: TokenPair; readonly stored: StoredTokenPair } {
  const access = newToken();
  const refresh = newToken();
  const expiresAt = nowMs + limits.accessTokenMs;
  return {
    shown: { access_token: access, refresh_token: refresh, expires_at: toTimestamp(expiresAt) },
    stored: {
      access: { digest: digestOf(access), expiresAt },
      refresh: { digest: digestOf(refresh), expiresAt: nowMs + relayLimits.refreshTokenMs },
    },
  };
}
