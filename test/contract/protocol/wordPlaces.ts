import type { JsonSchema } from './jsonSchema.ts';

/** The way to a value inside of a message. */
export type Place = readonly (string | number)[];

/** Where a shape holds one of some words, as `sampleOf` fills it: each is a place at which a newer peer may say another. */
export function wordPlaces(schema: JsonSchema, at: Place = []): readonly Place[] {
  const options = schema.oneOf ?? schema.anyOf;
  if (options !== undefined) return options[0] === undefined ? [] : wordPlaces(options[0], at);
  if (schema.enum !== undefined || typeof schema.const === 'string') return [at];
  if (schema.type === 'array') return wordPlaces(schema.items ?? {}, [...at, 0]);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => wordPlaces(field, [...at, name]));
}

/** A copy of a message with another value at one place. */
export function withValueAt(message: unknown, place: Place, value: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return value;
  if (Array.isArray(message)) {
    const items: readonly unknown[] = message;
    return items.map((item, index) => (index === key ? withValueAt(item, rest, value) : item));
  }
  if (typeof message !== 'object' || message === null) throw new TypeError('no such place');
  const inner: unknown = Reflect.get(message, key);
  if (inner === undefined) throw new TypeError(`no such place: ${place.join('.')}`);
  return { ...message, [key]: withValueAt(inner, rest, value) };
}
