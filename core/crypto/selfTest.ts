import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { equalBytes, isAllZero } from './byteLayout.ts';
import type { CryptoPort } from './cryptoPort.ts';

/** AES-256-GCM of "self test" under key 00..1f, nonce 00..0b, AAD "aad". */
const SEALED_HEX = '3467ba7de591a768f94ebf0380884537e03c16493759978d73';
const ALICE_PRIVATE = '77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a';
const ALICE_PUBLIC = '8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a';
const BOB_PUBLIC = 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f';
const SHARED = '4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742';

/** The sequence 0, 1, 2 … of a length. */
const counting = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i);

/**
 * Known answers that a platform's cryptography must give before it is used: editors and browsers ship other libraries
 * than the ones this was written on.
 *
 * @returns false for a wrong answer or any exception; the caller then takes the pure code
 */
export async function selfTest(port: CryptoPort): Promise<boolean> {
  try {
    return hashesRight(port) && randomRight(port) && (await aeadRight(port)) && (await dhRight(port));
  } catch {
    return false;
  }
}

/** FIPS 180-4 "abc", and RFC 4231 case 2. */
function hashesRight(port: CryptoPort): boolean {
  const hash = port.sha256(utf8ToBytes('abc'));
  const mac = port.hmacSha256(utf8ToBytes('Jefe'), utf8ToBytes('what do ya want for nothing?'));
  return (
    bytesToHex(hash) === 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' &&
    bytesToHex(mac) === '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
  );
}

function randomRight(port: CryptoPort): boolean {
  const [a, b] = [port.randomBytes(32), port.randomBytes(32)];
  return a.length === 32 && b.length === 32 && !isAllZero(a) && !equalBytes(a, b);
}

async function aeadRight(port: CryptoPort): Promise<boolean> {
  const key = await port.importAeadKey(counting(32));
  const [nonce, aad, plaintext] = [counting(12), utf8ToBytes('aad'), utf8ToBytes('self test')];
  const sealed = await key.seal(nonce, aad, plaintext);
  const whole = await key.sealBehindNonce?.(nonce, aad, plaintext);
  if (bytesToHex(sealed) !== SEALED_HEX) return false;
  if (whole !== undefined && bytesToHex(whole) !== bytesToHex(nonce) + SEALED_HEX) return false;
  const opened = await key.open(nonce, aad, sealed);
  const relabelled = await key.open(nonce, utf8ToBytes('AAD'), sealed);
  const short = await key.open(nonce, aad, sealed.subarray(0, 15));
  return (
    opened !== undefined && equalBytes(opened, plaintext) && relabelled === undefined && short === undefined
  );
}

/** RFC 7748 6.1, a low-order point, and that two fresh keys agree. */
async function dhRight(port: CryptoPort): Promise<boolean> {
  const alice = await port.importDhKey(hexToBytes(ALICE_PRIVATE));
  const shared = await alice.dh(hexToBytes(BOB_PUBLIC));
  if (bytesToHex(alice.publicKey) !== ALICE_PUBLIC || bytesToHex(shared) !== SHARED) return false;
  if (!isAllZero(await alice.dh(new Uint8Array(32)))) return false;
  const [a, b] = await Promise.all([port.generateDhKey(), port.generateDhKey()]);
  const [ab, ba] = await Promise.all([a.dh(b.publicKey), b.dh(a.publicKey)]);
  return ab.length === 32 && !isAllZero(ab) && equalBytes(ab, ba) && !equalBytes(a.publicKey, b.publicKey);
}
