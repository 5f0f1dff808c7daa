import * as z from 'zod/mini';
import { jsonValue } from '../../core/base/jsonValue.ts';

/** Of one ask, in bytes of JSON: what is longer is answered at the desk only. */
export const maxAskBytes = 1_000_000;
/** Of what a hook is to say, before it is escaped for its frame. An answer may repeat all that was asked. */
export const maxAnswerBytes = 1_040_000;
/** Asks that wait at one keeper. */
export const maxOpenAsks = 16;

const askId = z.string().check(z.regex(/^[0-9a-f]{16}$/));
const idBytes = 16;

/** Nobody waits for it any more. */
export const unasked = z.object({ id: askId });

/** Of a bridge. Without `output` the hook says nothing, and the program's own dialog stays. */
export const askAnswer = z.object({ id: askId, output: z.optional(z.string()) });

/** @returns undefined for what is no JSON object */
export function askText(body: Buffer): string | undefined {
  const text = body.toString('utf8');
  const value = jsonValue(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? text : undefined;
}

/** The body of an `asked` frame. */
export function encodeAsked(id: string, text: string): Buffer {
  return Buffer.concat([Buffer.from(id, 'latin1'), Buffer.from(text)]);
}

/** @returns undefined for what no keeper says */
export function decodeAsked(body: Buffer): { readonly id: string; readonly text: string } | undefined {
  const id = askId.safeParse(body.subarray(0, idBytes).toString('latin1'));
  const text = id.success ? askText(body.subarray(idBytes)) : undefined;
  return id.success && text !== undefined ? { id: id.data, text } : undefined;
}
