import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { drawRows } from '../../../scripts/mutation/drawRows.mjs';
import { judge } from '../../../scripts/mutation/judge.mjs';
import { readCoverage } from '../../../scripts/mutation/readCoverage.mjs';
import { seededRandom } from '../../../scripts/mutation/seededRandom.mjs';
import type { RowReport } from '../../../scripts/requirements/report.mjs';
import type { Titles } from '../../../scripts/suites/mergeRun.mjs';

const titles = (rest: Partial<Record<keyof Titles, readonly string[]>>): Titles => {
  const named = (list: readonly string[] = []): Titles['passed'] => list.map(title => ({ title, file: 'a' }));
  return { passed: named(rest.passed), failed: named(rest.failed), pending: named(rest.pending) };
};

describe('what a run with a mutation says', () => {
  it('is red only by a test that was asked for', () => {
    assert.deepEqual(judge(titles({ failed: ['b', 'a'] }), ['a']), { verdict: 'red', test: 'a' });
    assert.equal(judge(titles({ passed: ['a'], failed: ['b'] }), ['a']).verdict, 'green');
  });

  it('is no answer when a hook failed, nothing ran, or a test is missing', () => {
    const hook = titles({ failed: ['"before each" hook for "a"'] });
    assert.equal(judge(hook, ['a']).verdict, 'no answer');
    assert.equal(judge(undefined, ['a']).verdict, 'no answer');
    assert.equal(judge(titles({ passed: ['a'] }), ['a', 'b']).verdict, 'no answer');
  });
});

describe('the rows that are drawn', () => {
  const report = (
    id: string,
    suite: string,
    state: RowReport['state'] = 'met',
    maps?: string,
  ): RowReport => ({
    row: { id, letter: id.slice(0, 1), text: '', maps, isGoal: true },
    state,
    tests: [{ suite, title: `a [${id}]`, file: 'a', outcome: 'passed' }],
  });
  const reports = [
    report('T1', 'unit', 'met', 'Y'),
    report('T2', 'services', 'met', 'Y'),
    report('T3', 'e2e', 'met', 'Y'),
    report('T4', 'unit', 'red', 'Y'),
    report('K1', 'unit'),
  ];
  const ids = (count: number, id?: string): string[] =>
    drawRows(reports, { count, ...(id === undefined ? {} : { id }), random: seededRandom(3) }).map(
      row => row.id,
    );

  it('are requirements that tests without an editor or an agent have met', () => {
    assert.deepEqual(ids(20).sort(), ['T1', 'T2']);
    assert.equal(ids(1).length, 1);
  });

  it('may be one by name, also a rule', () => {
    assert.deepEqual(ids(20, 'K1'), ['K1']);
    assert.deepEqual(ids(20, 'T4'), []);
  });
});

describe('the coverage of a run', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tn-coverage-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('adds up all processes; idle is only what was idle in each that ran the function', () => {
    const range = (startOffset: number, endOffset: number, count: number): object => ({
      startOffset,
      endOffset,
      count,
    });
    const write = (name: string, ...ranges: readonly object[]): void => {
      const url = pathToFileURL(join(folder, 'core', 'a.ts')).href;
      const other = { url: pathToFileURL(join(folder, 'test', 'a.ts')).href, functions: [] };
      const result = [{ url, functions: [{ functionName: 'f', ranges }] }, other];
      writeFileSync(join(folder, name), JSON.stringify({ result }));
    };
    write('1.json', range(10, 50, 2), range(20, 30, 0), range(40, 45, 0));
    write('2.json', range(10, 50, 1), range(20, 30, 0));
    write('3.json', range(10, 50, 0));
    assert.deepEqual(
      [...readCoverage(folder, folder)],
      [
        [
          'core/a.ts:10-50',
          { file: 'core/a.ts', name: 'f', start: 10, end: 50, count: 3, idle: [{ start: 20, end: 30 }] },
        ],
      ],
    );
  });
});
