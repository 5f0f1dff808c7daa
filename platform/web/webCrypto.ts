import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { AeadKey, CryptoPort } from '../../core/crypto/cryptoPort.ts';
import { TAG_BYTES } from '../../core/crypto/envelope.ts';
import { ownedBytes } from './ownedBytes.ts';
import { generateWebDhKey, importWebDhKey } from './webDhKey.ts';

/**
 * The port on a browser's cryptography. Hashes are pure code, since the browser's are asynchronous.
 *
 * @param platform its `subtle` is missing on pages that were not loaded securely; then take the pure port
 */
export function webCrypto(platform: Crypto): CryptoPort {
  const { subtle } = platform;
  return {
    randomBytes: length => platform.getRandomValues(new Uint8Array(length)),
    sha256: data => sha256(data),
    hmacSha256: (key, data) => hmac(sha256, key, data),
    async importAeadKey(raw) {
      const key = await subtle.importKey('raw', ownedBytes(raw), 'AES-GCM', false, ['encrypt', 'decrypt']);
      return aeadKey(subtle, key);
    },
    generateDhKey: () => generateWebDhKey(subtle),
    importDhKey: raw => importWebDhKey(subtle, raw),
  };
}

function aeadKey(subtle: SubtleCrypto, key: CryptoKey): AeadKey {
  const parameters = (nonce: Uint8Array, aad: Uint8Array): AesGcmParams => ({
    name: 'AES-GCM',
    iv: ownedBytes(nonce),
    additionalData: ownedBytes(aad),
    tagLength: TAG_BYTES * 8,
  });
  return {
    async seal(nonce, aad, plaintext) {
      return new Uint8Array(await subtle.encrypt(parameters(nonce, aad), key, ownedBytes(plaintext)));
    },
    async open(nonce, aad, sealed) {
      if (sealed.length < TAG_BYTES) return undefined;
      try {
        return new Uint8Array(await subtle.decrypt(parameters(nonce, aad), key, ownedBytes(sealed)));
      } catch {
        return undefined;
      }
    },
  };
}
