import { citedIds } from './citedIds.mjs';

/**
 * @typedef {ReturnType<typeof import('./parseRows.mjs').parseRows>[number]} Row
 * @typedef {{ suite: string, title: string, file: string, outcome: 'passed' | 'failed' | 'pending' }} CitingTest
 * @typedef {{ row: Row, state: 'met' | 'red' | 'open', tests: CitingTest[] }} RowReport
 */

function stateOf(tests) {
  if (tests.some(test => test.outcome === 'failed')) return 'red';
  return tests.some(test => test.outcome === 'passed') ? 'met' : 'open';
}

/**
 * What the tests that ran say of each row: met when one that cites it passed and none failed, red when one failed, open when
 * none ran.
 *
 * @param {Row[]} rows
 * @param {import('../suites/mergeRun.mjs').SuiteRecord[]} records
 * @returns {{ rows: RowReport[], unknown: { id: string, test: CitingTest }[] }}
 */
export function reportRows(rows, records) {
  const citing = new Map(rows.map(row => [row.id, []]));
  const unknown = [];
  for (const { suite, tests } of records) {
    for (const { title, file, outcome } of tests) {
      const test = { suite, title, file, outcome };
      for (const id of citedIds(title)) {
        const known = citing.get(id);
        if (known === undefined) unknown.push({ id, test });
        else known.push(test);
      }
    }
  }
  const reports = rows.map(row => ({
    row,
    tests: citing.get(row.id),
    state: stateOf(citing.get(row.id)),
  }));
  return { rows: reports, unknown };
}

/**
 * The rows by letter, in the page's order. What does not map is neither open nor counted, unless a test cites it.
 *
 * @param {RowReport[]} reports
 * @returns {{ letter: string, of: number, met: string[], red: string[], open: string[], nonGoals: string[] }[]}
 */
export function byLetter(reports) {
  const letters = [...new Set(reports.map(({ row }) => row.letter))];
  return letters.map(letter => {
    const own = reports.filter(({ row }) => row.letter === letter);
    const isNonGoal = ({ row, state }) => !row.isGoal && state === 'open';
    const ids = want => own.filter(want).map(({ row }) => row.id);
    return {
      letter,
      of: own.filter(report => !isNonGoal(report)).length,
      met: ids(report => report.state === 'met'),
      red: ids(report => report.state === 'red'),
      open: ids(report => report.state === 'open' && !isNonGoal(report)),
      nonGoals: ids(isNonGoal),
    };
  });
}
