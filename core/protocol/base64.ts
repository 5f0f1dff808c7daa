import { base64 } from '@scure/base';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const INVALID = 64;

const VALUES = new Uint8Array(128).fill(INVALID);
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i;

/** Padded base64 (RFC 4648 section 4; rule K15). */
export function encodeBase64(bytes: Uint8Array): string {
  return base64.encode(bytes);
}

/**
 * By table: a general decoder spends more time on a frame than its cipher does.
 *
 * @returns nothing for text that is not the one padded form of some bytes
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const out = new Uint8Array((text.length / 4) * 3 - padding);
  const digits = text.length - padding;
  let invalid = 0;
  let to = 0;
  let at = 0;
  for (; at + 4 <= digits; at += 4) {
    const a = valueAt(text, at);
    const b = valueAt(text, at + 1);
    const c = valueAt(text, at + 2);
    const d = valueAt(text, at + 3);
    invalid |= a | b | c | d;
    out[to++] = (a << 2) | (b >> 4);
    out[to++] = (b << 4) | (c >> 2);
    out[to++] = (c << 6) | d;
  }
  if (padding > 0) {
    const a = valueAt(text, at);
    const b = valueAt(text, at + 1);
    const c = padding === 1 ? valueAt(text, at + 2) : 0;
    invalid |= a | b | c;
    out[to++] = (a << 2) | (b >> 4);
    if (padding === 1) out[to] = (b << 4) | (c >> 2);
    const leftOver = padding === 1 ? c & 3 : b & 15;
    if (leftOver !== 0) return undefined;
  }
  return (invalid & INVALID) === 0 ? out : undefined;
}

function valueAt(text: string, at: number): number {
  return VALUES[text.charCodeAt(at)] ?? INVALID;
}
