import { concatBytes } from '@noble/hashes/utils.js';
import { labelBytes } from './byteLayout.ts';
import type { HandshakeSecrets } from './handshake.ts';
import { hkdf, type HmacPort } from './hkdf.ts';

/**
 * The six digits that the phone shows and the user types at the desk:
 * u64(HKDF(ikm = ck, salt = h, info = label " sas")[0..8]) mod 10^6.
 */
export function pairingCode(
  port: HmacPort,
  { chainingKey, handshakeHash }: Pick<HandshakeSecrets, 'chainingKey' | 'handshakeHash'>,
): string {
  const bytes = hkdf(port, { ikm: chainingKey, salt: handshakeHash, info: labelBytes(' sas') });
  let value = 0n;
  for (const byte of bytes.subarray(0, 8)) value = value * 256n + BigInt(byte);
  return (value % 1_000_000n).toString().padStart(6, '0');
}

/**
 * The psk of every later session of this device: HKDF(ikm = QR secret, ck; salt = h; info = label " session-psk").
 *
 * @param secret the QR secret, 32 bytes
 * @returns 32 bytes; kept by both sides, erased on revocation
 */
export function sessionPsk(
  port: HmacPort,
  secret: Uint8Array,
  { chainingKey, handshakeHash }: Pick<HandshakeSecrets, 'chainingKey' | 'handshakeHash'>,
): Uint8Array {
  const ikm = concatBytes(secret, chainingKey);
  return hkdf(port, { ikm, salt: handshakeHash, info: labelBytes(' session-psk') });
}
