import type { DhKey } from '../../core/crypto/cryptoPort.ts';
import { ownedBytes } from './ownedBytes.ts';

const X25519 = { name: 'X25519' };
/** The base point: agreeing with it gives one's own public key. */
const BASE_POINT = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 9 : 0));
/** The PKCS#8 header of a raw X25519 key. Source: RFC 8410. */
const PKCS8_HEADER = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20);

/** Wraps a private key that may derive bits; it need not be extractable. */
export function webDhKey(subtle: SubtleCrypto, privateKey: CryptoKey, publicKey: Uint8Array): DhKey {
  return { publicKey, dh: peer => agree(subtle, privateKey, peer) };
}

/** A fresh key that cannot be extracted. */
export async function generateWebDhKey(subtle: SubtleCrypto): Promise<DhKey> {
  const pair = await subtle.generateKey(X25519, false, ['deriveBits']);
  if (!('privateKey' in pair)) throw new TypeError('the platform gave no key pair');
  const publicKey = new Uint8Array(await subtle.exportKey('raw', pair.publicKey));
  return webDhKey(subtle, pair.privateKey, publicKey);
}

/** @param raw 32 bytes */
export async function importWebDhKey(subtle: SubtleCrypto, raw: Uint8Array): Promise<DhKey> {
  const pkcs8 = new Uint8Array(PKCS8_HEADER.length + raw.length);
  pkcs8.set(PKCS8_HEADER);
  pkcs8.set(raw, PKCS8_HEADER.length);
  const key = await subtle.importKey('pkcs8', pkcs8, X25519, false, ['deriveBits']);
  pkcs8.fill(0);
  return webDhKey(subtle, key, await agree(subtle, key, BASE_POINT));
}

/** @returns 32 bytes, all zero for a low-order or malformed peer, which the platform refuses by exception */
async function agree(subtle: SubtleCrypto, privateKey: CryptoKey, peer: Uint8Array): Promise<Uint8Array> {
  try {
    const publicKey = await subtle.importKey('raw', ownedBytes(peer), X25519, false, []);
    return new Uint8Array(await subtle.deriveBits({ name: 'X25519', public: publicKey }, privateKey, 256));
  } catch {
    return new Uint8Array(32);
  }
}
