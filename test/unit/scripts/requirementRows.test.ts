import assert from 'node:assert/strict';
import { citedIds } from '../../../scripts/requirements/citedIds.mjs';
import { parseRows } from '../../../scripts/requirements/parseRows.mjs';
import { readPages } from '../../../scripts/requirements/readPages.mjs';

const page = `# Page

| Id  | Requirement   | §   | Maps               |
| --- | ------------- | --- | ------------------ |
| T1  | a \\| b        | 1   | Y                  |
| R2a | shown, **bold** | 2 | N needed           |

| Name | Id |
| ---- | -- |
| T9   | x  |

Words with | pipes | in them.

| Id  | Rule  |
| --- | ----- |
| K13 | a rule |
`;

describe('the rows of the requirements', () => {
  it('are read from every table whose first column is Id, and from no other', () => {
    assert.deepEqual(parseRows(page), [
      { id: 'T1', letter: 'T', text: 'a | b', maps: 'Y', isGoal: true },
      { id: 'R2a', letter: 'R', text: 'shown, **bold**', maps: 'N needed', isGoal: false },
      { id: 'K13', letter: 'K', text: 'a rule', maps: undefined, isGoal: true },
    ]);
  });

  it('have ids that can be cited, once each', () => {
    const table = (...ids: string[]): string =>
      `| Id | Rule |\n| --- | --- |\n${ids.map(id => `| ${id} | words |\n`).join('')}`;
    assert.equal(parseRows(table('T1', 'T2')).length, 2);
    assert.throws(() => parseRows(table('T1', 'T1')), /T1/);
    assert.throws(() => parseRows(table('first')), /first/);
  });

  it('are all there in the project’s own pages', () => {
    const counts = new Map<string, number>();
    for (const { letter } of readPages()) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    const requirements = ['T', 'C', 'R', 'M'].map(letter => counts.get(letter));
    assert.deepEqual(requirements, [117, 78, 62, 72]);
    assert.deepEqual([counts.get('D'), counts.get('K')], [14, 24]);
  });
});

describe('what a test’s title cites', () => {
  it('stands in brackets, one or several, its own and of the groups around it', () => {
    assert.deepEqual(citedIds('the journal [D5] [M36] reads lines [F1, T12] [R2a C8] [D5]'), [
      'D5',
      'M36',
      'F1',
      'T12',
      'R2a',
      'C8',
    ]);
  });

  it('is shown as it stands when it is written like an id and is none', () => {
    assert.deepEqual(citedIds('answers to names [F I69] [T1 7]'), ['F I69', 'T1 7']);
  });

  it('is nothing else in brackets, and nothing without them', () => {
    assert.deepEqual(citedIds('reads list[0], [host], [v1.2], [T1 and more], T7 and (C8)'), []);
  });
});
