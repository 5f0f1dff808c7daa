/** Longest plaintext of one frame, in bytes; its padded form is 192,512. Senders refuse more (rule K10). */
export const MAX_PLAINTEXT_BYTES = 192_511;

const MIN_PADDED = 256;
const MARKER = 0x80;

/** The padded length of a plaintext: 256, above that Padmé of the length with its marker. Source: PURBs, algorithm 1. */
export function paddedLength(plaintextLength: number): number {
  const length = plaintextLength + 1;
  if (length <= MIN_PADDED) return MIN_PADDED;
  const exponent = 31 - Math.clz32(length);
  const significant = 32 - Math.clz32(exponent);
  const mask = 2 ** (exponent - significant) - 1;
  return (length + mask) & ~mask;
}

/** Plaintext, 0x80, zeros. The caller has checked the length against `MAX_PLAINTEXT_BYTES`. */
export function pad(plaintext: Uint8Array): Uint8Array {
  const out = new Uint8Array(paddedLength(plaintext.length));
  out.set(plaintext);
  out[plaintext.length] = MARKER;
  return out;
}

/** @returns a view of the plaintext inside `padded`, or nothing when marker or exact length are wrong (rule K10) */
export function unpad(padded: Uint8Array): Uint8Array | undefined {
  let last = padded.length - 1;
  while (last >= 0 && padded[last] === 0) last--;
  if (last < 0 || padded[last] !== MARKER || paddedLength(last) !== padded.length) return undefined;
  return padded.subarray(0, last);
}
