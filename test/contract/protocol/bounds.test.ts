import assert from 'node:assert/strict';
import { jsonSchemaOf, type JsonSchema } from './jsonSchema.ts';
import { shapes } from './shapes.ts';

/** What JSON Schema cannot say: blocks are checked as blocks, answers as answers, arguments where they are told, tokens by their frame. */
const boundedElsewhere = new Set(['.input', '.block', '.result', '.resume_tokens']);

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
  if ([...boundedElsewhere].some(end => place.endsWith(end))) return [];
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
  it('bound every text, list and number', () => {
    assert.deepEqual(
      shapes.flatMap(({ group, name, schema }) => unbounded(jsonSchemaOf(schema), `${group}/${name}`)),
      [],
    );
  });
});
