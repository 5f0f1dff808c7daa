import assert from 'node:assert/strict';
import type { Outcome } from '../../../scripts/suites/summary.mjs';
import { parseCounts, sumOutcomes, summaryLines } from '../../../scripts/suites/summary.mjs';

const row = (name: string, rest: Partial<Outcome>): Outcome => ({
  name,
  outcome: 'passed',
  passed: 0,
  failed: 0,
  ms: 1500,
  ...rest,
});

describe('the summary of a test run', () => {
  it('adds up the tests of all suites', () => {
    const outcomes = [
      row('unit', { passed: 40 }),
      row('host', { passed: 7, failed: 2, outcome: 'failed' }),
      row('lint', {}),
    ];
    assert.deepEqual(sumOutcomes(outcomes), { passed: 47, failed: 2 });
  });

  it('counts a check that failed, or a suite that crashed, as one failure', () => {
    const outcomes = [row('lint', { outcome: 'failed' }), row('unit', { outcome: 'failed', passed: 3 })];
    assert.deepEqual(sumOutcomes(outcomes), { passed: 3, failed: 2 });
  });

  it('does not count a skipped suite as a failure', () => {
    const outcomes = [row('host', { outcome: 'skipped', reason: 'no browser' }), row('unit', { passed: 1 })];
    assert.deepEqual(sumOutcomes(outcomes), { passed: 1, failed: 0 });
  });

  it('says beside each row what came out and why', () => {
    const lines = summaryLines([
      row('unit', { passed: 12, failed: 1, outcome: 'failed' }),
      row('host', { outcome: 'skipped', reason: 'no browser was found\nmore words', ms: 0 }),
    ]);
    assert.deepEqual(lines, [
      'unit  failed   12 passed, 1 failed  1.5 s',
      'host  skipped                              no browser was found',
    ]);
  });

  it('takes counts only from a file that holds them', () => {
    assert.deepEqual(parseCounts('{"passed":3,"failed":0}'), { passed: 3, failed: 0 });
    for (const text of ['', '{', 'null', '{"passed":"3","failed":0}', '{"passed":1.5,"failed":0}', '{}'])
      assert.equal(parseCounts(text), undefined);
  });
});
