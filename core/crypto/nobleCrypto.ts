import { gcm } from '@noble/ciphers/aes.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { randomBytes } from '@noble/hashes/utils.js';
import type { AeadKey, CryptoPort, DhKey } from './cryptoPort.ts';
import { TAG_BYTES } from './envelope.ts';

/**
 * The port in pure code, for platforms whose own cryptography is missing or fails the self-test. Slower, and not
 * hardened against timing as native code is.
 */
export const nobleCrypto: CryptoPort = {
  randomBytes: length => randomBytes(length),
  sha256: data => sha256(data),
  hmacSha256: (key, data) => hmac(sha256, key, data),
  importAeadKey: raw => Promise.resolve(aeadKey(raw.slice())),
  generateDhKey: () => Promise.resolve(dhKey(x25519.utils.randomSecretKey())),
  importDhKey: raw => Promise.resolve(dhKey(raw.slice())),
};

function aeadKey(key: Uint8Array): AeadKey {
  return {
    seal: (nonce, aad, plaintext) => Promise.resolve(gcm(key, nonce, aad).encrypt(plaintext)),
    open(nonce, aad, sealed) {
      if (sealed.length < TAG_BYTES) return Promise.resolve(undefined);
      try {
        return Promise.resolve(gcm(key, nonce, aad).decrypt(sealed));
      } catch {
        return Promise.resolve(undefined);
      }
    },
  };
}

function dhKey(secretKey: Uint8Array): DhKey {
  return {
    publicKey: x25519.getPublicKey(secretKey),
    dh: peer => Promise.resolve(nobleDh(secretKey, peer)),
  };
}

/** X25519 in pure code. @returns 32 bytes, all zero for a low-order or malformed peer */
export function nobleDh(secretKey: Uint8Array, peer: Uint8Array): Uint8Array {
  try {
    return x25519.getSharedSecret(secretKey, peer);
  } catch {
    return new Uint8Array(32);
  }
}
