import type { CryptoPort } from '../../core/crypto/cryptoPort.ts';
import { selfTest } from '../../core/crypto/selfTest.ts';
import { webCrypto } from './webCrypto.ts';

/** Which implementation serves, for diagnostics. */
export interface ChosenCrypto {
  readonly port: CryptoPort;
  readonly kind: 'native' | 'noble';
}

/**
 * The browser's cryptography when it gives the known answers, else the pure code, loaded only then. A page that was
 * not loaded securely has no `subtle`, and some browsers have no X25519.
 */
export async function chooseCrypto(platform: Crypto): Promise<ChosenCrypto> {
  const native = webCrypto(platform);
  if (await selfTest(native)) return { port: native, kind: 'native' };
  const { nobleCrypto } = await import('../../core/crypto/nobleCrypto.ts');
  return { port: nobleCrypto, kind: 'noble' };
}
