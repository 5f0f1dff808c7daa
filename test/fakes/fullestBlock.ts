import { block, type Block } from '../../core/protocol/block/block.ts';
import { fullestOf } from '../contract/protocol/fullestOf.ts';
import { jsonSchemaOf } from '../contract/protocol/jsonSchema.ts';
import { shapes } from '../contract/protocol/shapes.ts';

const blocks = new Map(
  shapes.filter(({ group }) => group === 'blocks').map(({ name, schema }) => [name, schema]),
);

export const blockTypes: readonly string[] = [...blocks.keys()];

/**
 * A block at the bounds of its schema; a request can always be denied.
 *
 * @param unit what its texts are made of
 */
export function fullestBlock(type: string, unit: string): Block {
  const schema = blocks.get(type);
  if (schema === undefined) throw new TypeError(`no block is called ${type}`);
  const filled = block.parse(fullestOf(jsonSchemaOf(schema), unit));
  return filled.type === 'permission_request'
    ? { ...filled, options: filled.options.map(option => ({ ...option, kind: 'deny' })) }
    : filled;
}
