import assert from 'node:assert/strict';
import { resultAges } from '../../../scripts/requirements/ages.mjs';
import type { Row } from '../../../scripts/requirements/parseRows.mjs';
import { byLetter, reportRows } from '../../../scripts/requirements/report.mjs';
import type { SuiteRecord, TestOutcome } from '../../../scripts/suites/mergeRun.mjs';

const row = (id: string, isGoal = true): Row => ({
  id,
  letter: id.slice(0, 1),
  text: `words of ${id}`,
  isGoal,
});

function record(...tests: readonly (readonly [TestOutcome, string])[]): SuiteRecord {
  const results = tests.map(([outcome, title]) => ({ title, file: 'a.test.ts', outcome, run: 0 }));
  return { suite: 'unit', whole: true, runs: [{ at: '2026-01-01T00:00:00Z' }], tests: results };
}

describe('the report of the requirements', () => {
  it('takes a row as met by a test that passed, and by none that was pending', () => {
    const { rows } = reportRows(
      [row('T1'), row('T2'), row('T3')],
      [
        record(
          ['passed', 'does one thing [T1]'],
          ['pending', 'does another [T2]'],
          ['passed', 'T3 without brackets'],
        ),
      ],
    );
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['met', 'open', 'open'],
    );
  });

  it('takes a row as red once one test of any suite that cites it failed', () => {
    const { rows } = reportRows([row('T1')], [record(['failed', 'a [T1]']), record(['passed', 'b [T1]'])]);
    assert.equal(rows[0]?.state, 'red');
  });

  it('tells who cites an id that no page has', () => {
    const { unknown } = reportRows([row('T1')], [record(['passed', 'a [T1]'], ['passed', 'b [T999]'])]);
    assert.deepEqual(
      unknown.map(({ id, test }) => [id, test.title]),
      [['T999', 'b [T999]']],
    );
  });

  it('counts by letter, and what does not map only when a test cites it', () => {
    const { rows } = reportRows(
      [row('T1'), row('T2'), row('R4', false), row('R5', false)],
      [record(['passed', 'a [T1] [R5]'])],
    );
    assert.deepEqual(byLetter(rows), [
      { letter: 'T', of: 2, met: ['T1'], red: [], open: ['T2'], nonGoals: [] },
      { letter: 'R', of: 1, met: ['R5'], red: [], open: [], nonGoals: ['R4'] },
    ]);
  });
});

describe('the ages of the results', () => {
  const now = Date.parse('2026-01-01T00:10:00Z');
  const runAt = { at: '2026-01-01T00:00:00Z', commit: '1234567890', dirty: false };
  const fresh: SuiteRecord = { ...record(['passed', 'a']), runs: [runAt] };
  const ages = (one: SuiteRecord, commit = '1234567890'): readonly (string | boolean)[] => {
    const [age] = resultAges([one], { suites: ['unit'], state: { commit, dirty: false }, now });
    return age === undefined ? [] : [age.text, age.stale];
  };

  it('tell commit and time, and are fresh on the commit that they ran on', () => {
    assert.deepEqual(ages(fresh), ['1 tests on 1234567, 10 min ago', false]);
    assert.deepEqual(ages(fresh, 'abc'), ['1 tests on 1234567, 10 min ago', true]);
  });

  it('are stale when the sources had changes, or when only a part ran', () => {
    const changed = { ...fresh, runs: [{ ...runAt, dirty: true }] };
    assert.deepEqual(ages(changed), ['1 tests on 1234567 with changes, 10 min ago', true]);
    const narrowed = { ...fresh, whole: false, runs: [{ ...runAt, grep: 'journal' }] };
    assert.deepEqual(ages(narrowed), [
      'only in part: 1 tests by --grep journal on 1234567, 10 min ago',
      true,
    ]);
  });

  it('name the suites that left none; one that keeps a record for each version of an agent has some', () => {
    const agents = { ...fresh, suite: 'agents-claude-2.0.1' };
    const told = resultAges([agents], { suites: ['unit', 'agents'], state: {}, now });
    assert.deepEqual(
      told.map(({ suite, text }) => [suite, text === 'no results']),
      [
        ['agents-claude-2.0.1', false],
        ['unit', true],
      ],
    );
  });
});
