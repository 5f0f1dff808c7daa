import { jsonSchemaOf, type JsonSchema } from './jsonSchema.ts';
import type { Shape } from './shapes.ts';
import type { SourceDoc } from './sourceDocs.ts';

const introduction = `# The protocol's messages

Generated from the schemas in \`core/protocol\`, which are the source of truth; a test fails when this page and they differ.
One example of each message is in \`test/vectors/protocol\`.

- Fields that a reader does not know are ignored, and so is the order of fields. A field marked with \`?\` may be absent.
- Not all of it is in use: a control that a machine knows and does not do yet is answered \`unsupported_operation\`.
- Lengths of texts are UTF-16 units unless the field says bytes; \`ts\` and times ending in \`_at\` are Unix seconds with a
  fraction; fields ending in \`_ms\` are milliseconds, in \`_bytes\` bytes, in \`_usd\` US dollars.
- Base64 is RFC 4648 section 4, with padding.
- A request is done at most once as long as its machine remembers it: the last 256 requests of each phone, while the editor window
  lives. Nobody asks again by themselves for one whose fate is not known; a prompt is known by its \`client_msg_id\` for good.
- \`generation\` names the incarnation of a session's record. No machine changes it today; one that begins a record anew under
  the same session id has to. So a reader compares it, and forgets what it holds of another one.

## What a reader does with what it does not know

Writers are strict. Readers take from a newer peer what they can:

- A **block** of an unknown type, and one of a known type with a word or a size that the reader does not know, keeps its place
  as \`unrecognised\`, and its \`seq\` counts. It can be neither answered nor allowed, and takes the place of what was told under
  its id before. Three words have one that says less, and keep the rest of their block: an unknown \`tool_call.kind\` reads as
  \`other\`, \`tool_result.outcome\` as \`unknown\`, and the \`code\` of an \`error\` as \`internal\`. Without a sound time, or a
  sound id where its type has one, a block is damaged, and refused.
- In **summaries**, an unknown \`activity\` or \`owner\` reads as \`unknown\`. Nobody tells that word.
- An **answer** of an unknown type is \`unrecognised\`: its request ends as one whose fate is not known, as it does, later, when the
  answer is a broken one of a known type. An unknown error code reads as \`internal\`, an unknown receipt
  or status and an unknown \`live\` as \`unknown\`.
- A **control** of an unknown type is answered \`unsupported_operation\`, a broken one and one with an unknown word
  \`invalid_request\`, both by its \`request_id\`; without one it is ignored.
- A **message** of an unknown \`kind\` is ignored. One that takes a \`seq\` is therefore told only to a reader that named a capability
  for it, as \`event_patch\` is (\`patch1\`, which is for \`text\` and \`thinking\` and no other type).
- A **relay frame** of an unknown type is ignored. One from a phone with a \`request_id\` asks for something, and is answered with
  an \`error\` of the code \`unsupported_operation\`; a window asks its relay for nothing by frames.
- Closed on purpose, since more hangs on them than what is shown: \`v\`, \`block_type\` (authenticated, and a number in the binary
  form), \`sig_mode\` and \`role\`. Another word there is a broken frame.

## Where this differs from its plan

Readers of the design find these under other names: \`bridge_offline\` is \`bridge_gone\`, \`todo\` is \`plan\`, \`text_patch\` is
\`patch\` and \`event_patch\`, \`is_error\` of a result is \`outcome\`, \`detail\` of a request is \`input\`, \`oldest_available_ts\` is
\`oldest_seq\`.

Left out, because something else says it:

- \`client_connected\`: a window hears of a phone by its \`session_request\`, which carries \`device_id\`.
- \`session_end.error\`: an \`error\` block tells what went wrong.
- Counts of what waits in \`session_state\`: the summary has \`waiting\`.
- \`last_counter\` of a heartbeat: each frame's counter is checked, and a heartbeat is a frame.
- \`snapshot_id\` of a resume: a snapshot is not kept, and a next one is made from the record.
- \`agent_info.models\`: \`model_list\` tells them.
- The capability \`handoff\`, and in \`handoff_state\` the \`lineage_head\`, the \`resume_command\` and an owner \`none\`: how a
  conversation is moved is the machine's own affair, its commands do not leave it, and somebody always drives.
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
  ['correlation_id', "Joins a guest's suggestion, its approval and what came of it. Set by no machine yet."],
  ['parent_id', 'The call of a sub-agent that it is part of.'],
  ['request_id', 'Names the request: done at most once, as far as said above, and answered under it.'],
  ['session_id', 'The conversation, or `ctl:` and an instance, or `pair:` and a pairing.'],
  ['generation', "The incarnation of the session's record: a reader compares it."],
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
