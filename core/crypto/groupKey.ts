import { concatBytes } from '@noble/hashes/utils.js';
import { labelBytes } from './byteLayout.ts';
import type { CryptoPort } from './cryptoPort.ts';
import { hkdf, type HmacPort } from './hkdf.ts';

/** Bytes of the inner signature at the head of every group plaintext (rule K19). */
export const GROUP_SIGNATURE_BYTES = 64;

/**
 * A key of a viewers' stream, as it is delivered pairwise. A group starts at epoch 0, counter 0; each key change adds
 * 1 to the epoch and the counter runs on; epoch 255 forces a new `grp_` id (rule K18).
 */
export interface GroupKeyState {
  /** 32 bytes. */
  readonly key: Uint8Array;
  readonly epoch: number;
  /** The counter of the next frame. */
  readonly counter: number;
}

/** ch of a group key: SHA-256(key)[0..4]. */
export function groupCh(port: Pick<CryptoPort, 'sha256'>, key: Uint8Array): Uint8Array {
  return port.sha256(key).slice(0, 4);
}

/** The next key after a join, or at a key's limits: HKDF(k, info = label " grp-next"). A leave draws a fresh one. */
export function ratchetGroupKey(port: HmacPort, key: Uint8Array): Uint8Array {
  return hkdf(port, { ikm: key, info: labelBytes(' grp-next') });
}

/** What K_b signs inside a group frame, since viewers share the key: label " grp", nonce12, AAD, SHA-256(body). */
export function groupSignedBytes(
  port: Pick<CryptoPort, 'sha256'>,
  nonce: Uint8Array,
  aad: Uint8Array,
  body: Uint8Array,
): Uint8Array {
  return concatBytes(labelBytes(' grp'), nonce, aad, port.sha256(body));
}
