import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergeRun, type Titles } from '../../../scripts/suites/mergeRun.mjs';
import { beginRecord, readRecords } from '../../../scripts/suites/results.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
const tests = (...names: string[]): Titles['passed'] => names.map(title => ({ title, file: 'a.test.ts' }));
const titles = (rest: Partial<Titles>): Titles => ({ passed: [], failed: [], pending: [], ...rest });
const first = { at: '2026-01-01T00:00:00Z', commit: 'aaa' };

describe('the record of a suite', () => {
  const whole = mergeRun(undefined, {
    suite: 'unit',
    run: first,
    titles: titles({ passed: tests('a', 'b'), pending: tests('c') }),
  });

  it('is replaced as a whole by a whole run', () => {
    const next = mergeRun(whole, {
      suite: 'unit',
      run: { at: 'later' },
      titles: titles({ passed: tests('d') }),
    });
    assert.deepEqual(next, {
      suite: 'unit',
      whole: true,
      runs: [{ at: 'later' }],
      tests: [{ title: 'd', file: 'a.test.ts', outcome: 'passed', run: 0 }],
    });
  });

  it('keeps what a narrowed run left out, with the run that it came from', () => {
    const run = { at: 'later', grep: 'b' };
    const next = mergeRun(whole, { suite: 'unit', run, titles: titles({ failed: tests('b') }) });
    assert.equal(next.whole, true);
    assert.deepEqual(
      next.tests.map(test => [test.title, test.outcome, next.runs[test.run]]),
      [
        ['a', 'passed', first],
        ['c', 'pending', first],
        ['b', 'failed', run],
      ],
    );
  });

  it('says that only a part ran when there was never more than a narrowed run', () => {
    const run = { at: 'later', grep: 'b' };
    const next = mergeRun(undefined, { suite: 'unit', run, titles: titles({ passed: tests('b') }) });
    assert.equal(next.whole, false);
  });

  it('forgets runs that nothing is left of', () => {
    const run = { at: 'later', grep: '.' };
    const next = mergeRun(whole, { suite: 'unit', run, titles: titles({ passed: tests('a', 'b', 'c') }) });
    assert.deepEqual(next.runs, [run]);
  });
});

describe('the records on disk', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tn-results-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const titlesFile = (): string => join(folder, 'titles');
  function ran(rest: Partial<Titles>): void {
    writeFileSync(titlesFile(), JSON.stringify(titles(rest)));
  }

  it('lose their suite at once when a whole run begins, so that one without an end leaves nothing', () => {
    ran({ passed: tests('a') });
    beginRecord('unit', { folder }).keep(titlesFile());
    assert.equal(readRecords(folder)[0]?.tests.length, 1);
    beginRecord('unit', { folder }).keep(join(folder, 'never-written'));
    assert.deepEqual(readRecords(folder), []);
  });

  it('stay when a narrowed run does not come to its end', () => {
    ran({ passed: tests('a') });
    beginRecord('unit', { folder }).keep(titlesFile());
    beginRecord('unit', { folder, grep: 'b' }).keep(join(folder, 'never-written'));
    assert.equal(readRecords(folder)[0]?.whole, true);
  });

  it('are told by mocha’s own events: each title with its groups, and no test that a failed hook kept from running', () => {
    const spec = join(folder, 'some.test.cjs');
    writeFileSync(
      spec,
      `describe('one [T1]', () => { it('passes [C2]', () => {}); it('fails', () => { throw new Error('x'); }); it('waits'); });
       describe('two', () => { before(() => { throw new Error('x'); }); it('never runs', () => {}); });`,
    );
    const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
    const reporter = join(root, 'scripts', 'mochaReporter.mjs');
    assert.throws(() =>
      execFileSync(process.execPath, [mocha, '--no-config', '--no-package', '--reporter', reporter, spec], {
        cwd: root,
        stdio: 'ignore',
        timeout: 15_000,
        env: { ...process.env, TERMINULL_COUNTS: '', TERMINULL_TITLES: titlesFile() },
      }),
    );
    assert.ok(existsSync(titlesFile()));
    const told: unknown = JSON.parse(readFileSync(titlesFile(), 'utf8'), (key, value: unknown) =>
      key === 'file' ? undefined : value,
    );
    assert.deepEqual(told, {
      passed: [{ title: 'one [T1] passes [C2]' }],
      failed: [{ title: 'one [T1] fails' }, { title: 'two "before all" hook for "never runs"' }],
      pending: [{ title: 'one [T1] waits' }],
    });
  });
});
