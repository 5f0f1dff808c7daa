import type { JsonSchema } from './jsonSchema.ts';

const base64 = '^[A-Za-z0-9+/]*={0,2}$';

/** A readable text for each pattern of the protocol. One that is missing here is an error, so that none is guessed. */
const textFor: ReadonlyMap<string, string> = new Map([
  ['^[A-Za-z0-9_.:-]{1,128}$', 'id_1'],
  ['^(?!grp_)[A-Za-z0-9_.:-]{1,128}$', 'd_1'],
  ['^[A-Za-z0-9_.:-]{1,100}$', 'c_1'],
  ['^[A-Za-z0-9_.:-]{1,64}$', '1'],
  ['^[a-z][a-z0-9-]{0,63}$', 'claude-code'],
  ['^[0-9a-f]{16}$', '0123456789abcdef'],
  ['^[0-9a-f]{32}$', '0123456789abcdef'.repeat(2)],
  ['^[0-9a-f]{64}$', '0123456789abcdef'.repeat(4)],
  ['^[A-Za-z0-9_-]{16,64}$', 'A1b2C3d4E5f6G7h8'],
  ['^[A-Za-z0-9_-]{1,32}$', 'A1b2C3d4'],
  ['^[a-z_]{1,32}$', 'allow_once'],
  ['^[a-z0-9_]{1,32}$', 'patch1'],
  ['^[A-Za-z_]{1,32}$', 'plan'],
  ['^[a-z0-9.+-]{1,64}\\/[a-z0-9.+-]{1,64}$', 'text/plain'],
  ['^[A-Za-z0-9_:-]{1,64}$', 'compact'],
  ['^\\d{4}-\\d{2}-\\d{2}$', '2026-11-30'],
  ['^#[0-9a-f]{6}$', '#00636d'],
  ['^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', 'en-GB'],
]);

/** What JSON Schema cannot say. */
const valueFor: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['input', { command: 'npm test' }],
  ['block', { type: 'text', ts: 1_800_000_000.25, id: 'id_1', text: 'words', done: true }],
  ['result', { type: 'open' }],
  ['code', 'busy'],
]);

/** @param fill `full`: with every optional field; `least`: with none */
export function sampleOf(schema: JsonSchema, fill: 'full' | 'least', field = ''): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first, second] = schema.oneOf ?? schema.anyOf ?? [];
  if (first !== undefined) return sampleOf(fill === 'least' ? (second ?? first) : first, fill, field);
  switch (schema.type) {
    case 'object':
      return sampleObject(schema, fill);
    case 'array':
      return Array.from({ length: fill === 'full' ? 1 : (schema.minItems ?? 0) }, () =>
        sampleOf(schema.items ?? {}, fill, field),
      );
    case 'string':
      return sampleText(schema, field);
    case 'integer':
      return Math.max(schema.minimum ?? 0, Math.min(schema.maximum ?? 7, 7));
    case 'number':
      return field.endsWith('_at') || field.endsWith('ts') || field.endsWith('_time')
        ? 1_800_000_000.25
        : Math.min(schema.maximum ?? 1, 0.5);
    case 'boolean':
      return true;
    case undefined:
    default:
      return sampleUnknown(field);
  }
}

function sampleUnknown(field: string): unknown {
  const known = valueFor.get(field);
  if (known === undefined) throw new TypeError(`no sample for the field ${field}`);
  return known;
}

function sampleObject(schema: JsonSchema, fill: 'full' | 'least'): Record<string, unknown> {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name]) => fill === 'full' || required.has(name),
  );
  if (schema.properties === undefined) return fill === 'full' ? { id_1: 'words' } : {};
  return Object.fromEntries(fields.map(([name, value]) => [name, sampleOf(value, fill, name)]));
}

function sampleText(schema: JsonSchema, field: string): string {
  const { pattern, minLength = 0, maxLength = Infinity } = schema;
  if (pattern === base64) return 'QUJD'.repeat(Math.max(1, Math.ceil(minLength / 4)));
  const text = pattern === undefined ? 'words' : textFor.get(pattern);
  if (text === undefined) throw new TypeError(`no sample for ${String(pattern)} of ${field}`);
  return text.length <= maxLength ? text : text.slice(0, maxLength);
}
