import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A bearer token of 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a token: SHA-256 in lower-case hex. Comparing it leaks nothing about the token. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Compares two digests in constant time. */
export function sameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
