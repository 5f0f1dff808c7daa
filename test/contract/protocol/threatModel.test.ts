import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');
const tests = join(root, 'test');

/** A title of a test that is there, without the ids that it cites, and the file that holds it. */
interface Title {
  readonly title: string;
  readonly text: string;
}

const titles: readonly Title[] = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.test.ts'))
  .flatMap(name => {
    const text = readFileSync(join(tests, name), 'utf8');
    return [...text.matchAll(/\bit\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`)/g)].map(([, plain, template]) => ({
      title: (plain ?? template ?? '').replaceAll(/\s*\[[^\]]*\]/g, ''),
      text,
    }));
  });

/** The beginning of a title, as far as it is cited: what a form of the test puts in has to be said in its file. */
function isCitedBy(cited: string, { title, text }: Title): boolean {
  if (title.startsWith(cited)) return true;
  const [first = '', ...rest] = title.split(/\$\{[^}]*\}/).map(part => part.replaceAll(/[^\w\s]/g, '\\$&'));
  const form = rest.reduceRight((after, part) => `(.+?)(?:${part}${after})?`, '');
  const found = rest.length === 0 ? null : new RegExp(`^${first}${form}$`).exec(cited);
  const said: readonly (string | undefined)[] = found?.slice(1) ?? [];
  return found !== null && said.every(word => word === undefined || text.includes(word));
}

const rows = readFileSync(join(root, 'docs', 'threat-model.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('|') && !line.startsWith('| --') && !line.startsWith('| threat'))
  .map(line => line.split('|').map(cell => cell.trim()));

describe('docs/threat-model.md', () => {
  it('takes a form of a test for cited only when its file says that form', () => {
    const title = { title: 'a frame that ${what} is refused as ${code}', text: "['is old', 'late']" };
    const cites = (cited: string) => isCitedBy(cited, title);
    assert.ok(cites('a frame that is old') && cites('a frame that is old is refused as late'));
    assert.ok(!cites('a frame that is new') && !cites('a frame that is old is refused as new'));
  });

  it('has a row for each threat', () => assert.ok(rows.length >= 34, String(rows.length)));

  for (const [, threat = '', holds = '', shown = ''] of rows) {
    it(`names tests that are there, for: ${threat}`, () => {
      const cited = [...shown.matchAll(/`([^`]+)`/g)].map(([, title = '']) => title);
      assert.deepEqual(
        cited.filter(title => !titles.some(each => isCitedBy(title, each))),
        [],
      );
      assert.ok(cited.length > 0 || holds.includes('not built yet'), 'a threat that nothing shows is open');
    });
  }
});
