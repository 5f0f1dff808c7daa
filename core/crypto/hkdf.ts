import { concatBytes } from '@noble/hashes/utils.js';

/** The one primitive that HKDF needs. */
export interface HmacPort {
  hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array;
}

/** HKDF's inputs; an absent salt or info is empty. */
export interface HkdfInput {
  readonly ikm: Uint8Array;
  readonly salt?: Uint8Array;
  readonly info?: Uint8Array;
  /** Bytes of output, 32 unless said; at most 8160. */
  readonly length?: number;
}

const EMPTY = new Uint8Array(0);
const NO_SALT = new Uint8Array(32);

/** HKDF-SHA-256, extract then expand. Source: RFC 5869; rule K3. */
export function hkdf(
  port: HmacPort,
  { ikm, salt = NO_SALT, info = EMPTY, length = 32 }: HkdfInput,
): Uint8Array {
  if (length > 255 * 32) throw new RangeError('HKDF output too long');
  const prk = port.hmacSha256(salt, ikm);
  const out = new Uint8Array(length);
  let block = EMPTY;
  for (let at = 0, index = 1; at < length; at += 32, index++) {
    block = new Uint8Array(port.hmacSha256(prk, concatBytes(block, info, Uint8Array.of(index))));
    out.set(at + 32 > length ? block.subarray(0, length - at) : block, at);
  }
  return out;
}
