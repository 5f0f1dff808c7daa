import { createHash } from 'node:crypto';

/** SHA-256 of a text in 43 characters: stands for what need only be told apart, however long it is. */
export function contentDigest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
