import * as z from 'zod/mini';

/**
 * Text that looks like padded base64 (RFC 4648 section 4), of at most `maxChars` characters. Cheap on purpose, since every
 * frame passes it; decoding checks the rest.
 */
export function base64Text(maxChars: number) {
  return z.string().check(
    z.maxLength(maxChars),
    z.regex(/^[A-Za-z0-9+/]*={0,2}$/),
    z.refine(text => text.length % 4 === 0),
  );
}

/** The padded base64 of exactly `bytes` bytes. */
export function base64Bytes(bytes: number) {
  const chars = Math.ceil(bytes / 3) * 4;
  return base64Text(chars).check(z.minLength(chars));
}
