import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { jsonSchemaOf, type JsonSchema } from './jsonSchema.ts';
import { sampleOf } from './sampleOf.ts';
import { shapes, type Shape } from './shapes.ts';

// One file a kind of message, generated from its schema. RESET_GOLDEN=1 writes them anew; a change is a change of the protocol:
// RESET_GOLDEN=1 npm test -- --only contract --grep 'golden frames'
const folder = join(import.meta.dirname, '..', '..', 'vectors', 'protocol');
const golden = z.object({
  least: z.record(z.string(), z.unknown()),
  full: z.record(z.string(), z.unknown()),
});

function fileOf({ group, name }: Shape): string {
  return join(folder, group, `${name}.json`);
}

function generated({ schema }: Pick<Shape, 'schema'>): { readonly least: unknown; readonly full: unknown } {
  const described = jsonSchemaOf(schema);
  return { least: sampleOf(described, 'least'), full: sampleOf(described, 'full') };
}

/** Values that break one bound of a field each. */
function brokenForms(field: JsonSchema): readonly unknown[] {
  if (field.const !== undefined || field.enum !== undefined) return ['no_such_value'];
  if (field.oneOf !== undefined || field.anyOf !== undefined) return [[]];
  switch (field.type) {
    case 'string':
      return [
        7,
        ...(field.pattern === undefined ? [] : ['\u0000']),
        ...(field.maxLength === undefined ? [] : ['A'.repeat(field.maxLength + 4)]),
      ];
    case 'integer':
    case 'number':
      return [
        '7',
        ...(field.minimum === undefined ? [] : [field.minimum - 1]),
        ...(field.maximum === undefined ? [] : [field.maximum * 2]),
        ...(field.type === 'integer' ? [0.5] : []),
      ];
    case 'boolean':
      return ['true'];
    case 'array':
      return [{}];
    case 'object':
      return [[]];
    case undefined:
      return [];
  }
  return [];
}

function isForgiving(schema: unknown): boolean {
  return schema instanceof z.ZodMiniOptional
    ? isForgiving(schema.def.innerType)
    : schema instanceof z.ZodMiniCatch;
}

describe('golden frames of the protocol [R31] [T22] [T24]', () => {
  before(() => {
    if (process.env.RESET_GOLDEN !== '1') return;
    rmSync(folder, { recursive: true, force: true });
    for (const shape of shapes) {
      mkdirSync(join(folder, shape.group), { recursive: true });
      writeFileSync(fileOf(shape), `${JSON.stringify(generated(shape), null, 2)}\n`);
    }
  });

  it('are there for every shape, and for no other', () => {
    const found = readdirSync(folder).flatMap(group =>
      readdirSync(join(folder, group)).map(name => join(folder, group, name)),
    );
    assert.deepEqual(found.sort(), shapes.map(fileOf).sort());
    assert.ok(shapes.length > 100, `${String(shapes.length)} shapes`);
  });

  it('have a type and a time in every block, in Unix seconds with a fraction [T20]', () => {
    const blocks = shapes.filter(({ group }) => group === 'blocks');
    assert.ok(blocks.length > 25);
    for (const { name, schema } of blocks) {
      const { required, properties } = jsonSchemaOf(schema);
      assert.deepEqual(
        ['type', 'ts'].filter(field => required?.includes(field) !== true),
        [],
        name,
      );
      assert.deepEqual([properties?.type?.const, properties?.ts?.type], [name, 'number']);
      assert.ok(schema.safeParse({ ...golden.parse(generated({ schema })).full, ts: 1.25 }).success);
    }
  });

  it('tell progress, background tasks, diffs, summaries, errors, terminals and speech, too [T23]', () => {
    const names = new Set(shapes.filter(({ group }) => group === 'blocks').map(({ name }) => name));
    const further = ['progress', 'bg_task', 'diff', 'session_summary', 'error', 'terminal_data', 'stt_final'];
    assert.deepEqual(
      further.filter(name => !names.has(name)),
      [],
    );
  });

  for (const shape of shapes) {
    describe(`${shape.group}/${shape.name}`, () => {
      const file = fileOf(shape);
      const read = () => golden.parse(JSON.parse(readFileSync(file, 'utf8')));

      it('is what the schema makes: a change of one without the other is a drift', () => {
        assert.ok(existsSync(file), 'RESET_GOLDEN=1 writes it');
        assert.deepEqual(read(), generated(shape));
      });

      it('decodes field for field, and what nobody knows is ignored [R53]', () => {
        for (const form of [read().least, read().full]) {
          assert.deepEqual(shape.schema.parse(form), form);
          const reversed = Object.fromEntries(Object.entries(form).reverse());
          assert.deepEqual(shape.schema.parse(reversed), form, 'the order of fields means nothing');
          assert.deepEqual(shape.schema.parse({ ...form, from_the_future: [1] }), form);
        }
      });

      it('is refused without any of its fields, and with any of them out of bounds [M11]', () => {
        const described = jsonSchemaOf(shape.schema);
        const { full } = read();
        for (const [name, field] of Object.entries(described.properties ?? {})) {
          // What is read as something harmless instead: a code that this version does not know, for one.
          if (isForgiving(shape.schema.def.shape[name])) continue;
          const rest = Object.fromEntries(Object.entries(full).filter(([other]) => other !== name));
          if (described.required?.includes(name) === true)
            assert.equal(shape.schema.safeParse(rest).success, false, `without ${name}`);
          for (const broken of brokenForms(field))
            assert.equal(
              shape.schema.safeParse({ ...full, [name]: broken }).success,
              false,
              `${name}: ${JSON.stringify(broken).slice(0, 60)}`,
            );
        }
      });
    });
  }
});
