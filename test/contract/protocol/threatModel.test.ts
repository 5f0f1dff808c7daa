import assert from 'node:assert/strict';
import { join } from 'node:path';
import { citedIn, isCitedBy, tableRows, testTitles } from '../../fakes/citedTests.ts';

const document = join(import.meta.dirname, '../../../docs/threat-model.md');
const rows = tableRows(document).filter(([threat]) => threat !== 'threat');
const titles = testTitles();

describe('docs/threat-model.md', () => {
  it('takes a form of a test for cited only when its file says that form', () => {
    const title = { title: 'a frame that ${what} is refused as ${code}', text: "['is old', 'late']" };
    const cites = (cited: string) => isCitedBy(cited, title);
    assert.ok(cites('a frame that is old') && cites('a frame that is old is refused as late'));
    assert.ok(!cites('a frame that is new') && !cites('a frame that is old is refused as new'));
  });

  it('has a row for each threat', () => assert.ok(rows.length >= 34, String(rows.length)));

  for (const [threat = '', holds = '', shown = ''] of rows) {
    it(`names tests that are there, for: ${threat}`, () => {
      const cited = citedIn(shown);
      assert.deepEqual(
        cited.filter(title => !titles.some(each => isCitedBy(title, each))),
        [],
      );
      assert.ok(cited.length > 0 || holds.includes('not built yet'), 'a threat that nothing shows is open');
    });
  }
});
