/** Levels of nesting that canonical JSON may have; deeper input is refused, so that recursion is bounded. */
export const MAX_JSON_DEPTH = 128;

/**
 * The RFC 8785 (JCS) form of a JSON value: keys in UTF-16 code unit order, ECMAScript numbers and string escapes, no
 * white space. Members that are undefined are left out, as `JSON.stringify` does.
 *
 * @returns nothing for what JCS has no form: a number that is not finite, a lone surrogate, a value that is not JSON,
 *   or nesting beyond `MAX_JSON_DEPTH`
 */
export function canonicalJson(value: unknown): string | undefined {
  return write(value, MAX_JSON_DEPTH);
}

function write(value: unknown, depth: number): string | undefined {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : undefined;
  if (typeof value === 'string') return writeString(value);
  if (typeof value !== 'object' || depth === 0) return undefined;
  return Array.isArray(value) ? writeArray(value, depth - 1) : writeObject(value, depth - 1);
}

function writeString(text: string): string | undefined {
  return /\p{Surrogate}/u.test(text) ? undefined : JSON.stringify(text);
}

function writeArray(items: readonly unknown[], depth: number): string | undefined {
  const parts: string[] = [];
  for (const item of items) {
    const part = write(item, depth);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return `[${parts.join(',')}]`;
}

function writeObject(object: object, depth: number): string | undefined {
  const members = Object.entries(object).filter(([, member]) => member !== undefined);
  const parts: string[] = [];
  // The default order of strings compares UTF-16 code units, which is what RFC 8785 3.2.3 asks for.
  for (const [name, member] of members.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const key = writeString(name);
    const part = write(member, depth);
    if (key === undefined || part === undefined) return undefined;
    parts.push(`${key}:${part}`);
  }
  return `{${parts.join(',')}}`;
}
