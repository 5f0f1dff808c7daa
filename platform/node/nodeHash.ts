import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import { equalBytes } from '../../core/crypto/byteLayout.ts';
import { plainBytes } from './nodeKeys.ts';

/** An imported key, and the bytes that it was imported from. */
interface ImportedKey {
  readonly bytes: Uint8Array;
  readonly key: KeyObject;
}

/**
 * Importing a key costs several times what the MAC itself does, and one connection's key serves for every envelope. The
 * entry goes with the array; one whose bytes were changed is imported again.
 */
const imported = new WeakMap<Uint8Array, ImportedKey>();

/** SHA-256; 32 bytes. */
export function nodeSha256(data: Uint8Array): Uint8Array {
  return plainBytes(hash('sha256', data, 'buffer'));
}

/** HMAC-SHA-256; 32 bytes. */
export function nodeHmac(key: Uint8Array, data: Uint8Array): Uint8Array {
  return plainBytes(createHmac('sha256', keyObjectOf(key)).update(data).digest());
}

function keyObjectOf(raw: Uint8Array): KeyObject {
  const known = imported.get(raw);
  if (known !== undefined && equalBytes(known.bytes, raw)) return known.key;
  const key = createSecretKey(raw);
  imported.set(raw, { bytes: Uint8Array.from(raw), key });
  return key;
}
