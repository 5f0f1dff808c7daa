import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');
const tests = join(root, 'test');

/** Titles of the tests that are there, without the ids that they cite. */
const titles = new Set(
  readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .flatMap(name => {
      const text = readFileSync(join(tests, name), 'utf8');
      return [...text.matchAll(/\bit\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`)/g)].map(([, plain, template]) =>
        (plain ?? template ?? '').replaceAll(/\s*\[[^\]]*\]/g, ''),
      );
    }),
);

const rows = readFileSync(join(root, 'docs', 'threat-model.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('|') && !line.startsWith('| --') && !line.startsWith('| threat'))
  .map(line => line.split('|').map(cell => cell.trim()));

describe('docs/threat-model.md', () => {
  it('has a row for each threat', () => assert.ok(rows.length >= 34, String(rows.length)));

  for (const [, threat = '', holds = '', shown = ''] of rows) {
    it(`names tests that are there, for: ${threat}`, () => {
      const cited = [...shown.matchAll(/`([^`]+)`/g)].map(([, title = '']) => title);
      assert.deepEqual(
        // A test that runs in several forms says so at the end of its title.
        cited.filter(title => ![...titles].some(each => each.startsWith(title))),
        [],
      );
      assert.ok(cited.length > 0 || holds.includes('not built yet'), 'a threat that nothing shows is open');
    });
  }
});
