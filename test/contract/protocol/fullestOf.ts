import type { JsonSchema } from './jsonSchema.ts';
import { sampleOf } from './sampleOf.ts';

/** What JSON Schema does not bound: arguments of a tool. */
const unboundedChars = 300_000;

/**
 * A value at the bounds of its schema: every optional field, lists as long as they may be, texts of as many characters.
 *
 * @param unit what free text is made of, one or two UTF-16 units
 */
export function fullestOf(schema: JsonSchema, unit: string, field = ''): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum.toSorted((a, b) => b.length - a.length)[0];
  switch (schema.type) {
    case 'object':
      if (schema.properties === undefined) return { id_1: textOf(unboundedChars, unit) };
      return Object.fromEntries(
        Object.entries(schema.properties).map(([name, value]) => [name, fullestOf(value, unit, name)]),
      );
    case 'array':
      return Array.from({ length: schema.maxItems ?? 1 }, () => fullestOf(schema.items ?? {}, unit, field));
    case 'string':
      return fullestText(schema, unit, field);
    case 'integer':
      return schema.maximum ?? Number.MAX_SAFE_INTEGER;
    case 'number':
    case 'boolean':
    case undefined:
      return field === 'input' ? { id_1: textOf(unboundedChars, unit) } : sampleOf(schema, 'full', field);
  }
  return sampleOf(schema, 'full', field);
}

function fullestText(schema: JsonSchema, unit: string, field: string): string {
  const { pattern, maxLength } = schema;
  if (pattern === undefined) return textOf(maxLength ?? unboundedChars, unit);
  const sample = String(sampleOf(schema, 'full', field));
  const length = maxLength ?? Number(/\{\d+,(\d+)\}\$$/.exec(pattern)?.[1] ?? sample.length);
  const longest = (sample[0] ?? '').repeat(length);
  return new RegExp(pattern).test(longest) ? longest : sample;
}

function textOf(length: number, unit: string): string {
  return unit.repeat(Math.floor(length / unit.length));
}
