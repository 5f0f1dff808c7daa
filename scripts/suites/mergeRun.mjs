/**
 * @typedef {{ at: string, commit?: string, dirty?: boolean, grep?: string }} Run
 * @typedef {{ title: string, file: string, outcome: 'passed' | 'failed' | 'pending', run: number }} TestResult
 * @typedef {{ suite: string, whole: boolean, runs: Run[], tests: TestResult[] }} SuiteRecord `run` of a test counts in `runs`;
 *   `whole` says that all tests of the suite ran once, not that it was in one run
 */

/**
 * The record after one more run. A whole run is all there is; a narrowed one replaces what it ran again and leaves the rest
 * with the run that it came from.
 *
 * @param {SuiteRecord | undefined} earlier
 * @returns {SuiteRecord}
 */
export function mergeRun(earlier, { suite, run, titles }) {
  const fresh = ['passed', 'failed', 'pending'].flatMap(outcome =>
    titles[outcome].map(({ title, file }) => ({ title, file, outcome, from: run })),
  );
  const narrowed = run.grep !== undefined;
  const again = new Set(fresh.map(test => test.title));
  const kept = narrowed && earlier ? earlier.tests.filter(test => !again.has(test.title)) : [];
  const all = [...kept.map(test => ({ ...test, from: earlier.runs[test.run] })), ...fresh];
  const runs = [...new Set(all.map(test => test.from))];
  const tests = all.map(({ from, ...test }) => ({ ...test, run: runs.indexOf(from) }));
  return { suite, whole: !narrowed || earlier?.whole === true, runs, tests };
}
