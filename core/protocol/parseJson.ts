import * as z from 'zod/mini';
import { fail, ok, type Result } from '../base/result.ts';

// zod probes `new Function` on its first parse unless told not to; a strict content security policy reports that.
z.config({ jitless: true });

export type ParseFailure = 'frame_too_large' | 'malformed' | 'unknown_type' | 'invalid_request';

const tag = z.string().check(z.maxLength(64));

/** How one kind of message is parsed at a border. */
export interface MessageFormat<T> {
  readonly schema: z.ZodMiniType<T>;
  /** The field that tells the message types apart. */
  readonly discriminator: 'type' | 'kind';
  /** Its values in `schema`, to tell an unknown message from a broken one. */
  readonly known: ReadonlySet<string>;
}

/** @param maxChars refused unparsed above this, so that a hostile peer costs bounded memory */
export function parseJson<T>(
  text: string,
  format: MessageFormat<T>,
  maxChars: number,
): Result<T, ParseFailure> {
  if (text.length > maxChars) return fail('frame_too_large');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail('malformed');
  }
  if (typeof value !== 'object' || value === null) return fail('malformed');
  const name = tag.safeParse(Reflect.get(value, format.discriminator));
  if (!name.success) return fail('malformed');
  if (!format.known.has(name.data)) return fail('unknown_type');
  try {
    const parsed = format.schema.safeParse(value);
    return parsed.success ? ok(parsed.data) : fail('invalid_request');
  } catch {
    // A value nested so deeply that checking it exhausts the stack.
    return fail('invalid_request');
  }
}

/** The format of a discriminated union. */
export function messageFormat<T>(
  schema: z.ZodMiniType<T> & { readonly def: { readonly options: readonly z.ZodMiniType[] } },
  discriminator: 'type' | 'kind' = 'type',
): MessageFormat<T> {
  const known = new Set<string>();
  for (const option of schema.def.options) {
    if (!(option instanceof z.ZodMiniObject)) continue;
    const names: unknown = option.def.shape[discriminator];
    if (names instanceof z.ZodMiniLiteral) for (const name of names.def.values) known.add(String(name));
    if (names instanceof z.ZodMiniEnum)
      for (const name of Object.values(names.def.entries)) known.add(String(name));
  }
  return { schema, discriminator, known };
}
