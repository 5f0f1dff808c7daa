import { jsonSchemaOf, type JsonSchema } from './jsonSchema.ts';
import type { Shape } from './shapes.ts';
import type { SourceDoc } from './sourceDocs.ts';

const introduction = `# The protocol's messages

Generated from the schemas in \`core/protocol\`, which are the source of truth; a test fails when this page and they differ.
One example of each message is in \`test/vectors/protocol\`.

- Fields that a reader does not know are ignored, and so is the order of fields. A field marked with \`?\` may be absent.
- A **block** of an unknown type keeps its place and is shown as such. A **control** of an unknown type that carries a
  \`request_id\` is answered \`unsupported_operation\`; any other unknown message is ignored.
- Not all of it is in use: a control that a machine knows and does not do yet is answered \`unsupported_operation\`, too.
- Lengths of texts are UTF-16 units unless the field says bytes; \`ts\` and times ending in \`_at\` are Unix seconds with a
  fraction; fields ending in \`_ms\` are milliseconds, in \`_bytes\` bytes, in \`_usd\` US dollars.
- Base64 is RFC 4648 section 4, with padding.
`;

const groups: ReadonlyMap<string, string> = new Map([
  ['blocks', 'Blocks: what a session tells. The journal holds them, and `event` carries them.'],
  ['controls', 'Controls: what a paired phone asks for, inside its encrypted channel.'],
  ['messages', 'Messages: what a bridge says to a phone, inside the channel.'],
  ['answers', 'Answers: the `result` of a `response`.'],
  ['pairing', 'The last word of a pairing.'],
  ['relay', 'Relay frames: what the relay itself sees. `enc` is ciphertext.'],
  ['http', 'HTTP bodies: what bridges and phones ask of a relay beside their sockets.'],
]);

/** What fields mean that many messages share. */
const shared: ReadonlyMap<string, string> = new Map([
  ['ts', 'When it was made.'],
  ['turn_id', 'The turn that it belongs to.'],
  ['parent_id', 'The call of a sub-agent that it is part of.'],
  ['request_id', 'Names the request: done at most once, and answered under it.'],
  ['session_id', 'The conversation, or `ctl:` and an instance, or `pair:` and a pairing.'],
  ['generation', "The incarnation of the session's record."],
  ['seq', 'Place in the record.'],
]);

/** The reference as Markdown. */
export function documentShapes(shapes: readonly Shape[], docs: ReadonlyMap<string, SourceDoc>): string {
  const parts = [introduction];
  for (const [group, title] of groups) {
    parts.push(`## ${title}\n`);
    for (const shape of shapes.filter(each => each.group === group)) parts.push(documentShape(shape, docs));
  }
  return `${parts.join('\n').trimEnd()}\n`;
}

function documentShape({ name, schema, constant }: Shape, docs: ReadonlyMap<string, SourceDoc>): string {
  const doc = docs.get(constant ?? '');
  const described = jsonSchemaOf(schema);
  const required = new Set(described.required);
  const rows = Object.entries(described.properties ?? {}).flatMap(([field, value]) =>
    // The heading says it.
    (field === 'type' || field === 'kind') && value.const !== undefined
      ? []
      : [
          `| \`${field}\`${required.has(field) ? '' : '?'} | ${typeOf(value)} | ${boundOf(value)} | ${
            doc?.fields.get(field) ?? shared.get(field) ?? ''
          } |`,
        ],
  );
  const text = doc?.text ?? '';
  const table =
    rows.length === 0
      ? ''
      : `| field | type | bound | meaning |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  return `### \`${name}\`\n${text === '' ? '' : `\n${text}\n`}${table === '' ? '' : `\n${table}`}`;
}

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map(value => `\`${value}\``).join(', ');
  const options = schema.oneOf ?? schema.anyOf;
  if (options !== undefined) return options.map(typeOf).join(' or ');
  switch (schema.type) {
    case 'array':
      return `list of ${typeOf(schema.items ?? {})}`;
    case 'object': {
      const fields = Object.keys(schema.properties ?? {});
      const required = new Set(schema.required);
      return fields.length === 0
        ? 'map of texts'
        : `{ ${fields.map(field => `${field}${required.has(field) ? '' : '?'}`).join(', ')} }`;
    }
    case undefined:
      return 'any';
    case 'string':
      return schema.pattern?.startsWith('^[A-Za-z0-9+/]*') === true ? 'base64' : 'text';
  }
  return schema.type;
}

function boundOf(schema: JsonSchema): string {
  if (schema.enum !== undefined || schema.const !== undefined) return '';
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern } = schema;
  const isBase64 = typeOf(schema) === 'base64';
  const parts = [
    pattern === undefined || isBase64 ? '' : `\`${pattern.replaceAll('|', '\\|')}\``,
    range(minLength, maxLength, 'characters'),
    range(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    range(minItems, maxItems, 'items'),
  ];
  return parts.filter(part => part !== '').join(', ');
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const words = unit === '' ? '' : ` ${unit}`;
  if (least !== undefined && most !== undefined)
    return least === most ? `${String(most)}${words}` : `${String(least)} to ${String(most)}${words}`;
  if (most !== undefined) return `at most ${String(most)}${words}`;
  return least === undefined || least < 0 ? '' : `at least ${String(least)}${words}`;
}
