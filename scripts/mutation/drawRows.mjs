const suites = ['unit', 'contract', 'services'];

/** The passed tests of one row that run without an editor, a browser or an agent. */
function ownTests({ tests }) {
  return tests.filter(({ suite, outcome }) => suites.includes(suite) && outcome === 'passed');
}

/**
 * Draws rows of the requirements that tests of these suites have met; rules, which are cited too, are not drawn.
 *
 * @param {import('../requirements/report.mjs').RowReport[]} reports
 * @param {{ count: number, id?: string, random: ReturnType<typeof import('./seededRandom.mjs').seededRandom> }} options `id`
 *   takes one row by name instead, also a rule
 * @returns {{ id: string, tests: import('../requirements/report.mjs').CitingTest[] }[]}
 */
export function drawRows(reports, { count, id, random }) {
  const met = reports.filter(report => report.state === 'met' && ownTests(report).length > 0);
  const drawn =
    id === undefined
      ? random.shuffle(met.filter(({ row }) => row.maps !== undefined)).slice(0, count)
      : met.filter(({ row }) => row.id === id);
  return drawn.map(report => ({ id: report.row.id, tests: ownTests(report) }));
}
