import { verify, type KeyObject } from 'node:crypto';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { LinkPort } from '../../core/crypto/linkPort.ts';
import { nodeHmac, nodeSha256 } from './nodeHash.ts';
import { generateX25519Key, nodeDh, publicKeyOf, rawPublicKey } from './nodeKeys.ts';

/** Public keys that stay imported: importing one costs about as much as a check with it. */
const MAX_CACHED_KEYS = 512;

const cache = new Map<string, KeyObject>();

/** The link port on node:crypto. */
export const nodeLink: LinkPort = {
  sha256: nodeSha256,
  hmacSha256: nodeHmac,
  ed25519Verify(publicKey, message, signature) {
    try {
      return verify(null, message, cachedKey('ed25519', publicKey), signature);
    } catch {
      return false;
    }
  },
  p256Verify(publicKey, message, signature) {
    try {
      const key = cachedKey('p256', publicKey);
      return verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature);
    } catch {
      return false;
    }
  },
  generateX25519() {
    const key = generateX25519Key();
    return { publicKey: rawPublicKey(key), dh: peer => nodeDh(key, peer) };
  },
};

/** The imported key, the least recently used one forgotten beyond the bound. */
function cachedKey(kind: 'ed25519' | 'p256', raw: Uint8Array): KeyObject {
  const name = `${kind}:${bytesToHex(raw)}`;
  const key = cache.get(name) ?? publicKeyOf(kind, raw);
  cache.delete(name);
  cache.set(name, key);
  if (cache.size > MAX_CACHED_KEYS) {
    const oldest = cache.keys().next();
    if (oldest.done !== true) cache.delete(oldest.value);
  }
  return key;
}
