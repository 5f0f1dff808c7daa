import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';

/** DER headers that turn raw keys into the forms node:crypto imports. Source: RFC 8410, RFC 5480. */
const HEADERS = {
  x25519Private: Buffer.from('302e020100300506032b656e04220420', 'hex'),
  x25519Public: Buffer.from('302a300506032b656e032100', 'hex'),
  ed25519Private: Buffer.from('302e020100300506032b657004220420', 'hex'),
  ed25519Public: Buffer.from('302a300506032b6570032100', 'hex'),
  p256Public: Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex'),
};

const RAW_BYTES = 32;

/** @param raw 32 bytes for the two curves, 65 uncompressed bytes for P-256 */
export function publicKeyOf(kind: 'x25519' | 'ed25519' | 'p256', raw: Uint8Array): KeyObject {
  if (raw.length !== (kind === 'p256' ? 65 : RAW_BYTES)) throw new RangeError('wrong length of a raw key');
  return createPublicKey({
    key: Buffer.concat([HEADERS[`${kind}Public`], raw]),
    format: 'der',
    type: 'spki',
  });
}

/** @param raw 32 bytes */
export function privateKeyOf(kind: 'x25519' | 'ed25519', raw: Uint8Array): KeyObject {
  if (raw.length !== RAW_BYTES) throw new RangeError('wrong length of a raw key');
  return createPrivateKey({
    key: Buffer.concat([HEADERS[`${kind}Private`], raw]),
    format: 'der',
    type: 'pkcs8',
  });
}

/** The 32 raw bytes of an X25519 or Ed25519 public key. */
export function rawPublicKey(key: KeyObject): Uint8Array {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES));
}

export function generateX25519Key(): KeyObject {
  return generateKeyPairSync('x25519').privateKey;
}

/** X25519. @returns 32 bytes, all zero for a low-order or malformed peer, which the library refuses by exception */
export function nodeDh(privateKey: KeyObject, peer: Uint8Array): Uint8Array {
  try {
    return plainBytes(diffieHellman({ privateKey, publicKey: publicKeyOf('x25519', peer) }));
  } catch {
    return new Uint8Array(RAW_BYTES);
  }
}

/** The same memory as a plain Uint8Array, whose `slice` copies and whose prototype compares equal. */
export function plainBytes(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}
