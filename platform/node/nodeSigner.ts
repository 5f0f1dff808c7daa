import { sign } from 'node:crypto';
import { privateKeyOf, rawPublicKey } from './nodeKeys.ts';

/** The bridge's identity K_b. */
export interface IdentitySigner {
  /** K_b, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Ed25519. @returns 64 bytes */
  readonly sign: (message: Uint8Array) => Uint8Array;
}

/** @param seed the 32 bytes of an RFC 8032 private key; not kept */
export function nodeSigner(seed: Uint8Array): IdentitySigner {
  const key = privateKeyOf('ed25519', seed);
  return {
    publicKey: rawPublicKey(key),
    sign: message => new Uint8Array(sign(null, message, key)),
  };
}
