const minuteMs = 60_000;

function ageOf(ms) {
  const minutes = Math.max(0, Math.round(ms / minuteMs));
  if (minutes < 120) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`;
}

/** "c0ffee1 (changed)": what a run ran on. */
const nameOf = ({ commit, dirty }) =>
  commit === undefined ? 'an unknown commit' : `${commit.slice(0, 7)}${dirty ? ' with changes' : ''}`;

/**
 * One line for each suite: how much of it ran, when, and on which commit. `stale` where that is not the present one as it was
 * committed.
 *
 * @param {import('../suites/mergeRun.mjs').SuiteRecord[]} records
 * @param {{ suites: string[], state: { commit?: string, dirty?: boolean }, now: number }} context `suites` that there should be
 * @returns {{ suite: string, text: string, stale: boolean }[]}
 */
export function resultAges(records, { suites, state, now }) {
  const missing = suites
    .filter(suite => !records.some(record => isOf(suite, record)))
    .map(suite => ({ suite, text: 'no results', stale: true }));
  const told = records.map(record => {
    const runs = record.runs.map((run, index) => {
      const count = record.tests.filter(test => test.run === index).length;
      const narrowed = run.grep === undefined ? '' : ` by --grep ${run.grep}`;
      return `${count} tests${narrowed} on ${nameOf(run)}, ${ageOf(now - Date.parse(run.at))}`;
    });
    const partial = record.whole ? '' : 'only in part: ';
    const isOld = run => run.commit === undefined || run.commit !== state.commit || run.dirty === true;
    const stale = !record.whole || record.runs.some(isOld) || state.dirty === true;
    return { suite: record.suite, text: `${partial}${runs.join('; ')}`, stale };
  });
  return [...told, ...missing];
}

/** A suite may keep one record for each version of an agent: agents-claude-2.1.0. */
const isOf = (suite, { suite: name }) => name === suite || name.startsWith(`${suite}-`);
