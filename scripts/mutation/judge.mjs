/**
 * What a run with a mutation says. Only a failed test that was asked for counts as red — by an assertion, an error or a timeout
 * of its own. A failed hook, a file that no longer loads, and a run that is out of time say nothing.
 *
 * @param {import('../suites/mergeRun.mjs').Titles | undefined} ran
 * @param {string[]} asked
 * @returns {{ verdict: 'red' | 'green' | 'no answer', test?: string }}
 */
export function judge(ran, asked) {
  if (ran === undefined) return { verdict: 'no answer' };
  const failed = ran.failed.find(({ title }) => asked.includes(title));
  if (failed !== undefined) return { verdict: 'red', test: failed.title };
  const passed = new Set(ran.passed.map(({ title }) => title));
  return { verdict: asked.every(title => passed.has(title)) ? 'green' : 'no answer' };
}
