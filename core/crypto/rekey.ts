import type { AeadKey, CryptoPort } from './cryptoPort.ts';

/** When a sender must change its key: whichever comes first. */
export interface RekeyLimits {
  /** Frames under one key. */
  readonly frames: number;
  /** Padded bytes under one key. */
  readonly bytes: number;
  /** Milliseconds on the monotonic clock. */
  readonly ageMs: number;
}

/** 2^20 frames, 1 GiB, 60 min. */
export const REKEY_LIMITS: RekeyLimits = { frames: 2 ** 20, bytes: 2 ** 30, ageMs: 3_600_000 };

const EMPTY = new Uint8Array(0);
const ZEROS = new Uint8Array(32);
const REKEY_NONCE = Uint8Array.of(0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255);

/** REKEY(k): the first 32 bytes of 32 zeros sealed under the highest nonce. Source: Noise 4.2, for AES-GCM. */
export async function rekey(port: Pick<CryptoPort, 'importAeadKey'>, key: AeadKey): Promise<AeadKey> {
  const sealed = await key.seal(REKEY_NONCE, EMPTY, ZEROS);
  return port.importAeadKey(sealed.subarray(0, 32));
}
