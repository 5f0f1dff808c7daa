import { writeU64 } from './byteLayout.ts';
import type { AeadKey, CryptoPort } from './cryptoPort.ts';

/** The cipher of a Noise protocol name: its AEAD and how a counter becomes a nonce. */
export interface NoiseCipher {
  /** As it stands in the protocol name. */
  readonly name: string;
  importKey(raw: Uint8Array): Promise<AeadKey>;
  /** @param counter an integer from 0 to 2^53 - 1; @returns 12 bytes */
  nonce(counter: number): Uint8Array;
}

/** AES-256-GCM: four zero bytes, then the counter big-endian. Source: Noise 12.4. */
export function aesGcmCipher(port: Pick<CryptoPort, 'importAeadKey'>): NoiseCipher {
  return {
    name: 'AESGCM',
    importKey: raw => port.importAeadKey(raw),
    nonce(counter) {
      const out = new Uint8Array(12);
      writeU64(out, 4, counter);
      return out;
    },
  };
}
