import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as prettier from 'prettier';
import { documentShapes } from './documentShapes.ts';
import { shapes } from './shapes.ts';
import { sourceDocs } from './sourceDocs.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const file = join(root, 'docs', 'block-protocol.md');

describe('docs/block-protocol.md [T24]', () => {
  let text: string;
  before(async () => {
    const options = (await prettier.resolveConfig(file)) ?? {};
    const made = documentShapes(shapes, sourceDocs(join(root, 'core', 'protocol')));
    text = await prettier.format(made, { ...options, parser: 'markdown' });
    if (process.env.RESET_GOLDEN !== '1') return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  });

  it('is what the schemas say', () => {
    assert.ok(existsSync(file), 'RESET_GOLDEN=1 writes it');
    assert.equal(readFileSync(file, 'utf8'), text);
  });

  it('says something of every block and control [T55]', () => {
    const docs = sourceDocs(join(root, 'core', 'protocol'));
    const silent = shapes
      .filter(shape => shape.group === 'blocks' || shape.group === 'controls')
      .filter(shape => (docs.get(shape.constant ?? '')?.text ?? '') === '')
      .map(shape => shape.name);
    assert.deepEqual(silent, []);
  });
});
