import type { HmacPort } from './hkdf.ts';

/** An X25519 key of one relay connection, computed at once. */
export interface LinkDhKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** @returns 32 bytes; all zero for a low-order or malformed `peer`, which callers must refuse */
  dh(peer: Uint8Array): Uint8Array;
}

/** Checks an Ed25519 signature (RFC 8032). @returns false, never an exception, for malformed input */
export type Ed25519Verify = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;

/**
 * What authenticating a relay connection needs: hashes, signature checks and one key agreement, all synchronous. It
 * holds no cipher, so what is built on it alone cannot decrypt.
 */
export interface LinkPort extends HmacPort {
  sha256(data: Uint8Array): Uint8Array;
  /** @param publicKey 32 bytes; @param signature 64 bytes */
  readonly ed25519Verify: Ed25519Verify;
  /**
   * ECDSA P-256 over SHA-256 of `message`.
   * @param publicKey 65 bytes, uncompressed; @param signature 64 bytes, r then s
   * @returns false, never an exception, for malformed input
   */
  p256Verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
  generateX25519(): LinkDhKey;
}
