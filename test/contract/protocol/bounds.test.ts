import assert from 'node:assert/strict';
import { limits } from '../../../core/protocol/limits.ts';
import { relayStatus } from '../../../core/protocol/relayFrame.ts';
import { jsonSchemaOf, type JsonSchema } from './jsonSchema.ts';
import { sampleOf } from './sampleOf.ts';
import { otherSchemas, shapes } from './shapes.ts';

/** What JSON Schema cannot say, by the end of its place, and what bounds it instead. */
const boundedElsewhere: ReadonlyMap<string, string> = new Map([
  ['.block', 'a block, which is checked as one'],
  ['.result', 'an answer, which is checked as one'],
  ['.input', 'arguments: a longer one than `shownInputBytes` is fetched apart, and any by its frame'],
  ['.resume_tokens', 'counted by the schema, as the test below shows'],
  ['host/serveResponse.update', 'JSON of whatever form: bounded by its line, as the reader of lines sets it'],
]);

/** Whether a text of any length can match. */
function isEndless(pattern: string): boolean {
  return /[*+]|\{\d+,\}/.test(pattern.replaceAll(/\[[^\]]*\]/g, 'x'));
}

function isNumberBounded({ minimum, maximum }: JsonSchema): boolean {
  return minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && maximum !== undefined;
}

/** Places of a schema at which something may be as long or as large as its sender likes. */
function unbounded(schema: JsonSchema, place: string): readonly string[] {
  if (schema.const !== undefined || schema.enum !== undefined) return [];
  if ([...boundedElsewhere.keys()].some(end => place.endsWith(end))) return [];
  const options = schema.oneOf ?? schema.anyOf;
  if (options !== undefined) return options.flatMap(option => unbounded(option, place));
  switch (schema.type) {
    case undefined:
      return [place];
    case 'boolean':
      return [];
    case 'string':
      return schema.maxLength === undefined && isEndless(schema.pattern ?? '*') ? [place] : [];
    case 'integer':
    case 'number':
      return isNumberBounded(schema) ? [] : [place];
    case 'array':
      return [
        ...(schema.maxItems === undefined ? [place] : []),
        ...unbounded(schema.items ?? {}, `${place}[]`),
      ];
    case 'object':
      return schema.properties === undefined
        ? [place]
        : Object.entries(schema.properties).flatMap(([name, field]) => unbounded(field, `${place}.${name}`));
  }
  return [place];
}

describe('the schemas of the protocol', () => {
  const places = [
    ...shapes.map(({ group, name, schema }) => [`${group}/${name}`, schema] as const),
    ...otherSchemas,
  ];

  it('bound every text, list and number', () => {
    assert.deepEqual(
      places.flatMap(([place, schema]) => unbounded(jsonSchemaOf(schema), place)),
      [],
    );
  });

  it('let a status carry no more resume tokens than a bridge can name sessions', () => {
    const status = relayStatus.parse(sampleOf(jsonSchemaOf(relayStatus), 'full'));
    const carries = (count: number): boolean =>
      relayStatus.safeParse({
        ...status,
        resume_tokens: Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${String(n)}`, 't'])),
      }).success;
    assert.deepEqual([limits.resumableSessions, limits.resumableSessions + 1].map(carries), [true, false]);
  });
});
