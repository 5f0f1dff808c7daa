import type { CryptoPort } from '../../core/crypto/cryptoPort.ts';
import { selfTest } from '../../core/crypto/selfTest.ts';
import { nodeCrypto } from './nodeCrypto.ts';

/** Which implementation serves, for diagnostics. */
export interface ChosenCrypto {
  readonly port: CryptoPort;
  readonly kind: 'native' | 'noble';
}

/**
 * Native cryptography when it gives the known answers, else the pure code. An editor's own Node is linked to another
 * library than Node's.
 */
export async function chooseCrypto(native: CryptoPort = nodeCrypto): Promise<ChosenCrypto> {
  if (await selfTest(native)) return { port: native, kind: 'native' };
  const { nobleCrypto } = await import('../../core/crypto/nobleCrypto.ts');
  return { port: nobleCrypto, kind: 'noble' };
}
