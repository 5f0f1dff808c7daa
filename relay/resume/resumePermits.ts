import { webcrypto } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import * as z from 'zod/mini';
import type { Clock } from '../../core/base/clock.ts';
import { bridgeId, deviceId, sessionId, type SessionId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { PhoneLink } from '../routing/link.ts';

/** Whom a permit is for: a phone that has proved its key on this very connection. */
export type PermitHolder = Pick<PhoneLink, 'bridgeId' | 'deviceId' | 'origin' | 'thumbprint'>;

/**
 * The relay signs for itself alone, so nobody else needs a key to check with: a MAC says all, and costs a tenth of a
 * signature by key pair. The one algorithm that is accepted is written here, never read from a token.
 */
const ALGORITHM = 'HS256';
/** RFC 8725, 3.11: no other kind of token that one day carries the same key passes as this one. */
const TYPE = 'resume+jwt';
const ISSUER = 'terminull-relay';

const claims = z.object({
  exp: z.number(),
  bridge_id: bridgeId,
  session_id: sessionId,
  device_id: deviceId,
  cnf: z.object({ jkt: z.string() }),
});

/**
 * Resume tokens (protocol.md 2.3): a JWT that lets one phone ask for one session again, for `resumeTokenMs` at most. It is
 * a routing permit and no authority: whoever steals one still needs the device key to say hello, and whoever forges one,
 * this relay included, still fails at the bridge, whose own handshake alone decides who the phone is.
 */
export class ResumePermits {
  readonly #key: webcrypto.CryptoKey;
  readonly #clock: Clock;

  private constructor(key: webcrypto.CryptoKey, clock: Clock) {
    this.#key = key;
    this.#clock = clock;
  }

  /** @param secret 32 bytes that outlive the process, or every restart would refuse what it issued */
  static async create(secret: Uint8Array<ArrayBuffer>, clock: Clock): Promise<ResumePermits> {
    const use = { name: 'HMAC', hash: 'SHA-256' };
    const key = await webcrypto.subtle.importKey('raw', secret, use, false, ['sign', 'verify']);
    return new ResumePermits(key, clock);
  }

  /** A permit for one session. Costs about 50 µs, so it is kept by whom it is for and not made again meanwhile. */
  issue(holder: PermitHolder, session: SessionId): Promise<string> {
    return new SignJWT({
      bridge_id: holder.bridgeId,
      session_id: session,
      device_id: holder.deviceId,
      cnf: { jkt: holder.thumbprint },
    })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(holder.origin)
      .setExpirationTime(Math.floor((this.#clock.now() + limits.resumeTokenMs) / 1000))
      .sign(this.#key);
  }

  /** Whether `token` lets this phone, under this name of the relay, ask for this session now. Never rejects. */
  async allows(token: string, holder: PermitHolder, session: SessionId): Promise<boolean> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        audience: holder.origin,
        currentDate: new Date(this.#clock.now()),
      });
      const said = claims.safeParse(payload);
      return (
        said.success &&
        said.data.bridge_id === holder.bridgeId &&
        said.data.session_id === session &&
        said.data.device_id === holder.deviceId &&
        said.data.cnf.jkt === holder.thumbprint
      );
    } catch {
      // Altered, expired, of another kind or no token at all: the phone hears the same of each.
      return false;
    }
  }
}

/**
 * RFC 7638 thumbprint of a device key.
 *
 * @param key ECDSA P-256, 65 bytes uncompressed
 */
export function thumbprintOf(key: Uint8Array): Promise<string> {
  const coordinate = (at: number): string => Buffer.from(key.subarray(at, at + 32)).toString('base64url');
  return calculateJwkThumbprint({ kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) });
}
