import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** The profile's name and version; the prefix of every derived string and signed message. */
export const PROFILE_LABEL = 'relay-e2e/1';

const EMPTY = new Uint8Array(0);

/** The label, or the label followed by a suffix such as ' register', as bytes. */
export function labelBytes(suffix = ''): Uint8Array {
  return utf8ToBytes(PROFILE_LABEL + suffix);
}

/** @param value an integer from 0 to 2^32 - 1 */
export function u32(value: number): Uint8Array {
  const out = new Uint8Array(4);
  writeU32(out, 0, value);
  return out;
}

/** @param value an integer from 0 to 2^53 - 1 */
export function u64(value: number): Uint8Array {
  const out = new Uint8Array(8);
  writeU64(out, 0, value);
  return out;
}

/** Writes 4 bytes, big-endian. */
export function writeU32(out: Uint8Array, at: number, value: number): void {
  out[at] = value >>> 24;
  out[at + 1] = value >>> 16;
  out[at + 2] = value >>> 8;
  out[at + 3] = value;
}

/** Writes 8 bytes, big-endian; `value` is at most 2^53 - 1. */
export function writeU64(out: Uint8Array, at: number, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('not an unsigned 53-bit integer');
  writeU32(out, at, Math.floor(value / 0x1_0000_0000));
  writeU32(out, at + 4, value % 0x1_0000_0000);
}

/** `lp(x)`: u32 length, then the bytes. Text enters as UTF-8, which is ASCII for every id (rule K2). */
export function lp(value: Uint8Array | string): Uint8Array {
  const bytes = typeof value === 'string' ? textBytes(value) : value;
  return concatBytes(u32(bytes.length), bytes);
}

/** The bytes of a short text: a plain loop for ASCII, which all ids are, and UTF-8 for the rest. */
export function textBytes(text: string): Uint8Array {
  if (text === '') return EMPTY;
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return utf8ToBytes(text);
    out[i] = code;
  }
  return out;
}

/** Compares without an early exit. Only the lengths may leak. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}

/** Whether every byte is zero, without an early exit: an X25519 output that must be refused (rule K9). */
export function isAllZero(bytes: Uint8Array): boolean {
  let seen = 0;
  for (const byte of bytes) seen |= byte;
  return seen === 0;
}
