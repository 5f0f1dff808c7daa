import { ownedBytes } from './ownedBytes.ts';

const P256 = { name: 'ECDSA', namedCurve: 'P-256' };
const ECDSA_SHA256 = { name: 'ECDSA', hash: 'SHA-256' };

/** The device's K_d as IndexedDB stores it (structured clone). */
export type StoredDeviceIdentity =
  | {
      readonly kind: 'native';
      /** 65 bytes, uncompressed (rule K15). */
      readonly publicKey: Uint8Array;
      /** ECDSA P-256, not extractable. */
      readonly privateKey: CryptoKey;
    }
  | {
      readonly kind: 'extractable';
      /** 65 bytes, uncompressed (rule K15). */
      readonly publicKey: Uint8Array;
      /** 32 bytes. */
      readonly privateKey: Uint8Array;
    };

/** Draws K_d: not extractable, or a key of the pure code on a page without `subtle`. */
export async function createDeviceIdentity(platform: Crypto): Promise<StoredDeviceIdentity> {
  try {
    const { privateKey, publicKey } = await platform.subtle.generateKey(P256, false, ['sign', 'verify']);
    const raw = new Uint8Array(await platform.subtle.exportKey('raw', publicKey));
    return { kind: 'native', publicKey: raw, privateKey };
  } catch {
    const { p256 } = await import('@noble/curves/nist.js');
    const privateKey = p256.utils.randomSecretKey();
    return { kind: 'extractable', publicKey: p256.getPublicKey(privateKey, false), privateKey };
  }
}

/** ECDSA over SHA-256 of `message`. @returns r then s, 64 bytes */
export async function signAsDevice(
  platform: Crypto,
  identity: StoredDeviceIdentity,
  message: Uint8Array,
): Promise<Uint8Array> {
  switch (identity.kind) {
    case 'native':
      return new Uint8Array(
        await platform.subtle.sign(ECDSA_SHA256, identity.privateKey, ownedBytes(message)),
      );
    case 'extractable': {
      const { p256 } = await import('@noble/curves/nist.js');
      return p256.sign(message, identity.privateKey, { format: 'compact' });
    }
  }
}
