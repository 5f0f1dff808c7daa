import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Ed25519Verify, LinkPort } from './linkPort.ts';
import { nobleDh } from './nobleCrypto.ts';

/** Ed25519 in pure code: how a viewer checks a group frame where the platform has no Ed25519. */
export const nobleEd25519Verify: Ed25519Verify = (publicKey, message, signature) => {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
};

/** The link port in pure code. */
export const nobleLink: LinkPort = {
  sha256: data => sha256(data),
  hmacSha256: (key, data) => hmac(sha256, key, data),
  ed25519Verify: nobleEd25519Verify,
  p256Verify(publicKey, message, signature) {
    if (publicKey.length !== 65) return false;
    try {
      return p256.verify(signature, message, publicKey, { lowS: false, format: 'compact' });
    } catch {
      return false;
    }
  },
  generateX25519() {
    const { secretKey, publicKey } = x25519.keygen();
    return { publicKey, dh: peer => nobleDh(secretKey, peer) };
  },
};
