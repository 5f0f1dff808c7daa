import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { AeadKey, CryptoPort, DhKey } from '../../core/crypto/cryptoPort.ts';
import { TAG_BYTES } from '../../core/crypto/envelope.ts';
import { nodeHmac, nodeSha256 } from './nodeHash.ts';
import { generateX25519Key, nodeDh, plainBytes, privateKeyOf, rawPublicKey } from './nodeKeys.ts';

const CIPHER = 'aes-256-gcm';
const EMPTY = new Uint8Array(0);

/** The port on node:crypto. All of it computes at once; a key is imported once and held as a KeyObject. */
export const nodeCrypto: CryptoPort = {
  randomBytes: length => plainBytes(randomBytes(length)),
  sha256: nodeSha256,
  hmacSha256: nodeHmac,
  importAeadKey: raw => Promise.resolve(aeadKey(createSecretKey(raw))),
  generateDhKey: () => Promise.resolve(dhKey(generateX25519Key())),
  importDhKey: raw => Promise.resolve(dhKey(privateKeyOf('x25519', raw))),
};

function aeadKey(key: KeyObject): AeadKey {
  if (key.symmetricKeySize !== 32) throw new RangeError('an AEAD key has 32 bytes');
  return {
    seal: (nonce, aad, plaintext) => Promise.resolve(seal(key, nonce, aad, plaintext, EMPTY)),
    sealBehindNonce: (nonce, aad, plaintext) => Promise.resolve(seal(key, nonce, aad, plaintext, nonce)),
    open: (nonce, aad, sealed) => Promise.resolve(open(key, nonce, aad, sealed)),
  };
}

function seal(
  key: KeyObject,
  nonce: Uint8Array,
  aad: Uint8Array,
  plaintext: Uint8Array,
  head: Uint8Array,
): Uint8Array {
  const cipher = createCipheriv(CIPHER, key, nonce);
  cipher.setAAD(aad);
  const ciphertext = cipher.update(plaintext);
  cipher.final();
  return plainBytes(Buffer.concat([head, ciphertext, cipher.getAuthTag()]));
}

function open(
  key: KeyObject,
  nonce: Uint8Array,
  aad: Uint8Array,
  sealed: Uint8Array,
): Uint8Array | undefined {
  const length = sealed.length - TAG_BYTES;
  if (length < 0) return undefined;
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(aad);
  decipher.setAuthTag(sealed.subarray(length));
  const plaintext = decipher.update(sealed.subarray(0, length));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return plainBytes(plaintext);
}

function dhKey(privateKey: KeyObject): DhKey {
  return {
    publicKey: rawPublicKey(privateKey),
    dh: peer => Promise.resolve(nodeDh(privateKey, peer)),
  };
}
