import { base64 } from '@scure/base';
import * as z from 'zod/mini';

/** RFC 4648 section 4 text, padded, of at most `maxChars` characters. */
export function base64Text(maxChars: number) {
  return z
    .string()
    .check(
      z.maxLength(maxChars),
      z.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
    );
}

/** The padded base64 of exactly `bytes` bytes. */
export function base64Bytes(bytes: number) {
  const chars = Math.ceil(bytes / 3) * 4;
  return base64Text(chars).check(z.minLength(chars));
}

/** @returns undefined when `text` is no padded base64 */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return base64.decode(text);
  } catch {
    return undefined;
  }
}
