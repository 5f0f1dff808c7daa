import { equalBytes } from '../../core/crypto/byteLayout.ts';
import type { DhKey } from '../../core/crypto/cryptoPort.ts';
import { ownedBytes } from './ownedBytes.ts';
import { generateWebDhKey, webDhKey } from './webDhKey.ts';

const X25519 = { name: 'X25519' };

/**
 * The device's S_d as IndexedDB stores it (structured clone). `wrapped`: PKCS#8 under a key that never leaves the
 * browser's keeping; `extractable`: raw bytes, for browsers that cannot do so, and labelled thus to the user.
 */
export type StoredDeviceKey =
  | {
      readonly kind: 'wrapped';
      /** 32 bytes. */
      readonly publicKey: Uint8Array;
      readonly wrapped: Uint8Array;
      /** 12 bytes. */
      readonly iv: Uint8Array;
      /** AES-256-GCM, not extractable. */
      readonly wrappingKey: CryptoKey;
    }
  | {
      readonly kind: 'extractable';
      /** 32 bytes. */
      readonly publicKey: Uint8Array;
      /** 32 bytes. */
      readonly privateKey: Uint8Array;
    };

/**
 * Draws S_d: extractable once, to be wrapped, never again. Where the browser has no X25519 it is an extractable key of
 * the pure code.
 */
export async function createDeviceKey(platform: Crypto): Promise<StoredDeviceKey> {
  try {
    return await createWrapped(platform);
  } catch {
    return createExtractableDeviceKey();
  }
}

/** An S_d of the pure code, for when a wrapped one fails `isDeviceKeySound` after a reload. */
export async function createExtractableDeviceKey(): Promise<StoredDeviceKey> {
  const { x25519 } = await import('@noble/curves/ed25519.js');
  const { secretKey, publicKey } = x25519.keygen();
  return { kind: 'extractable', publicKey, privateKey: secretKey };
}

/** S_d ready for handshakes; a wrapped one is not extractable in this form. */
export async function unwrapDeviceKey(platform: Crypto, stored: StoredDeviceKey): Promise<DhKey> {
  switch (stored.kind) {
    case 'wrapped': {
      const key = await platform.subtle.unwrapKey(
        'pkcs8',
        ownedBytes(stored.wrapped),
        stored.wrappingKey,
        { name: 'AES-GCM', iv: ownedBytes(stored.iv) },
        X25519,
        false,
        ['deriveBits'],
      );
      return webDhKey(platform.subtle, key, stored.publicKey);
    }
    case 'extractable': {
      const { nobleCrypto } = await import('../../core/crypto/nobleCrypto.ts');
      return nobleCrypto.importDhKey(stored.privateKey);
    }
  }
}

/**
 * Whether a key survived its storage: unwraps it and compares an agreement made from both ends. Run it on the reloaded
 * record before pairing.
 */
export async function isDeviceKeySound(platform: Crypto, reloaded: StoredDeviceKey): Promise<boolean> {
  try {
    const key = await unwrapDeviceKey(platform, reloaded);
    const other = await freshKey(platform, reloaded.kind);
    const [there, back] = await Promise.all([key.dh(other.publicKey), other.dh(reloaded.publicKey)]);
    return equalBytes(there, back) && there.some(byte => byte !== 0);
  } catch {
    return false;
  }
}

async function freshKey(platform: Crypto, kind: StoredDeviceKey['kind']): Promise<DhKey> {
  if (kind === 'wrapped') return generateWebDhKey(platform.subtle);
  const { nobleCrypto } = await import('../../core/crypto/nobleCrypto.ts');
  return nobleCrypto.generateDhKey();
}

async function createWrapped(platform: Crypto): Promise<StoredDeviceKey> {
  const { subtle } = platform;
  const pair = await subtle.generateKey(X25519, true, ['deriveBits']);
  if (!('privateKey' in pair)) throw new TypeError('the platform gave no key pair');
  const usages: KeyUsage[] = ['wrapKey', 'unwrapKey'];
  const wrappingKey = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, usages);
  const iv = platform.getRandomValues(new Uint8Array(12));
  const wrapped = await subtle.wrapKey('pkcs8', pair.privateKey, wrappingKey, { name: 'AES-GCM', iv });
  const publicKey = new Uint8Array(await subtle.exportKey('raw', pair.publicKey));
  return { kind: 'wrapped', publicKey, wrapped: new Uint8Array(wrapped), iv, wrappingKey };
}
