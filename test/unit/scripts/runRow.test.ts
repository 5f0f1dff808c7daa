import assert from 'node:assert/strict';
import { isStrict } from '../../../scripts/suites/isStrict.mjs';
import { runRow, type Found, type RunnableRow } from '../../../scripts/suites/runRow.mjs';
import type { Outcome } from '../../../scripts/suites/summary.mjs';

/** A row that runs this script; `count` in it leaves counts behind as a suite does. */
function row(script: string, rest: Partial<RunnableRow> = {}): RunnableRow {
  const count = `const count = (passed, failed) => require('fs').writeFileSync(process.env.TERMINULL_COUNTS, JSON.stringify({ passed, failed }));`;
  return {
    name: 'suite',
    title: 'A suite',
    needs: [],
    counts: true,
    minutes: 1,
    run: () => ({ command: process.execPath, args: ['-e', `${count}${script}`] }),
    ...rest,
  };
}

interface Context {
  readonly strict?: boolean;
  readonly found?: Found;
  readonly earlier?: Outcome;
}

function outcomeOf(
  what: RunnableRow,
  { strict = false, found = { ok: true, env: {} }, earlier }: Context = {},
): Promise<Outcome> {
  const outcomes = new Map(earlier === undefined ? [] : [[earlier.name, earlier]]);
  return runRow(what, { outcomes, strict, resource: () => Promise.resolve(found) });
}

/** Fails the test when the row is run after all. */
function neverRun(rest: Partial<RunnableRow>): RunnableRow {
  return {
    ...row('', rest),
    run: () => {
      throw new Error('it was run');
    },
  };
}

const reasonOf = ({ outcome, reason }: Outcome): [string, string | undefined] => [outcome, reason];

describe('a row of npm test', () => {
  const missing = { ok: false, reason: 'there is no browser' } as const;

  it('that lacks a resource is skipped, and says what it lacks', async () => {
    const outcome = await outcomeOf(neverRun({ needs: ['chromium'] }), { found: missing });
    const reason = 'there is no browser';
    assert.deepEqual(outcome, { name: 'suite', passed: 0, failed: 0, outcome: 'skipped', ms: 0, reason });
  });

  it('that lacks a resource is a failure where CI is true', async () => {
    const strict = isStrict({ CI: 'true' });
    const outcome = await outcomeOf(neverRun({ needs: ['chromium'] }), { found: missing, strict });
    assert.deepEqual(reasonOf(outcome), ['failed', 'there is no browser']);
  });

  it('is strict for every CI that says so, and not where CI is unset or says no', () => {
    assert.deepEqual(
      ['true', '1', 'yes'].map(CI => isStrict({ CI })),
      [true, true, true],
    );
    assert.deepEqual(
      [{}, { CI: '' }, { CI: '0' }, { CI: 'false' }].map(env => isStrict(env)),
      [false, false, false, false],
    );
  });

  it('fails with a row that it needs, also with one that was skipped', async () => {
    for (const outcome of ['failed', 'skipped'] as const) {
      const earlier: Outcome = { name: 'build', outcome, passed: 0, failed: 0, ms: 0 };
      const refused = await outcomeOf(neverRun({ needs: ['build'] }), { earlier });
      assert.deepEqual(reasonOf(refused), ['failed', `not run: build ${outcome}`]);
    }
  });

  it('fails when its folder holds no tests', async () => {
    const outcome = await outcomeOf(neverRun({ tests: 'test/vectors' }));
    assert.deepEqual(reasonOf(outcome), ['failed', 'there are no tests in test/vectors']);
  });

  it('fails when it ran no test, although it ended well', async () => {
    assert.deepEqual(reasonOf(await outcomeOf(row('count(0, 0)'))), ['failed', 'no test ran']);
  });

  it('fails when it ended well without a word of how many tests ran', async () => {
    const outcome = await outcomeOf(row(''));
    assert.deepEqual(reasonOf(outcome), ['failed', 'it ended without saying how many tests ran']);
  });

  it('fails by its counts, whatever it ended with, and by what it ended with, whatever its counts', async () => {
    const byCounts = await outcomeOf(row('count(5, 1)'));
    assert.deepEqual([byCounts.outcome, byCounts.passed, byCounts.failed], ['failed', 5, 1]);
    const byEnd = await outcomeOf(row('count(5, 0); process.exitCode = 3'));
    assert.equal(byEnd.outcome, 'failed');
    assert.match(byEnd.reason ?? '', /ended with 3$/);
  });

  it('passes with the tests that it counted, and has what its resources gave it', async () => {
    const found: Found = { ok: true, env: { CHROMIUM: '7' } };
    const outcome = await outcomeOf(row('count(Number(process.env.CHROMIUM), 0)', { needs: ['chromium'] }), {
      found,
    });
    assert.deepEqual([outcome.outcome, outcome.passed, outcome.reason], ['passed', 7, undefined]);
  });
});
