import assert from 'node:assert/strict';
import { join } from 'node:path';
import { citedIn, isCitedBy, tableRows, testTitles } from '../../fakes/citedTests.ts';

const document = join(import.meta.dirname, '../../../docs/what-survives.md');
const cells = tableRows(document).filter(row => row.length === 4 && row[0] !== 'what happens');
const titles = testTitles();

describe('docs/what-survives.md', () => {
  it('says of each thing that happens what becomes of each thing that runs', () => {
    const happenings = new Set(cells.map(([happening]) => happening));
    const things = new Set(cells.map(([, thing]) => thing));
    assert.deepEqual([happenings.size, things.size], [6, 5]);
    const said = new Set(cells.map(([happening = '', thing = '']) => `${happening}: ${thing}`));
    assert.deepEqual([said.size, cells.length], [30, 30]);
    assert.ok(cells.every(([, , becomes = '']) => becomes.length > 20));
  });

  for (const [happening = '', thing = '', , shown = ''] of cells)
    it(`names tests that are there, for: ${happening}, ${thing}`, () => {
      const cited = citedIn(shown);
      assert.ok(cited.length > 0);
      assert.deepEqual(
        cited.filter(title => !titles.some(each => isCitedBy(title, each))),
        [],
      );
    });
});
