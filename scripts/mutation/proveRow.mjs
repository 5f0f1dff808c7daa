import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isEnding } from '../process/processes.mjs';
import { withTempFolder } from '../process/withTempFolder.mjs';
import { chooseMutants, rankFunctions } from './chooseMutants.mjs';
import { forbiddenImports } from './forbiddenImports.mjs';
import { judge } from './judge.mjs';
import { readCoverage } from './readCoverage.mjs';
import { runTests } from './runTests.mjs';

const rowMs = 3 * 60_000;
/** Longer than mocha gives one test: it must be able to fail by its own timeout. */
const moreMs = 45_000;
/** No test has this title, so a run with it loads the files and ends. */
const noTest = 'a title that no test has';

/** Runs the tests as they are, and once without any test; tells what only the tests executed. */
async function observe(root, tests) {
  return withTempFolder(os.tmpdir(), 'tnm-', async folder => {
    const cover = async (name, titles) => {
      const coverage = path.join(folder, name);
      mkdirSync(coverage);
      const ran = await runTests(root, { ...tests, titles, coverage, deadlineMs: rowMs / 2 });
      return { ...ran, functions: readCoverage(coverage, root) };
    };
    const run = await cover('run', tests.titles);
    const load = await cover('load', [noTest]);
    return { ...judge(run.titles, tests.titles), ms: run.ms, run: run.functions, load: load.functions };
  });
}

/** Runs the tests with one mutation, and again without it where they turned red: a test that fails by chance proves nothing. */
async function tryMutant(root, mutant, tests, deadlineMs) {
  const place = path.join(root, mutant.file);
  const original = readFileSync(place, 'utf8');
  const ask = async () =>
    judge((await runTests(root, { ...tests, bail: true, deadlineMs })).titles, tests.titles);
  let answer;
  writeFileSync(place, mutant.text);
  try {
    answer = await ask();
  } finally {
    writeFileSync(place, original);
  }
  if (answer.verdict !== 'red') return answer;
  return (await ask()).verdict === 'green' ? answer : { verdict: 'no answer' };
}

/** Breaks what one group of a row's tests executes until one of them turns red. */
async function proveBy(tests, { root, files, tested, limit, random, left }) {
  const tried = [];
  const read = file => readFileSync(path.join(root, file), 'utf8');
  const seen = await observe(root, tests);
  if (seen.verdict !== 'green') return { tried, reason: 'its tests do not pass without a mutation' };
  const ranked = rankFunctions(seen.run, seen.load, tested, tests.titles, random);
  const mutants =
    ranked.length > 0
      ? chooseMutants(ranked, seen.run, read, limit, random)
      : forbiddenImports(files, read, random).slice(0, limit);
  for (const mutant of mutants) {
    if (isEnding()) return { tried, reason: 'stopped' };
    if (left() < seen.ms * 2) return { tried, reason: 'no more time' };
    const answer = await tryMutant(root, mutant, tests, Math.min(seen.ms + moreMs, left()));
    const { text: _text, ...place } = mutant;
    tried.push({ ...place, ...answer });
    if (answer.verdict === 'red') return { tried, by: tried.at(-1) };
  }
  return {
    tried,
    reason: mutants.length === 0 ? 'its tests execute nothing to break' : 'no mutation was seen',
  };
}

const isSlow = ({ suite }) => suite === 'services';

/**
 * Breaks the code behind one row until a test that cites the row turns red: first by its unit and contract tests, and only if
 * those see nothing by its services tests, which take much longer.
 *
 * @param {{ id: string, tests: { suite: string, title: string, file: string }[] }} row
 * @param {{ root: string, files: string[], limit: number,
 *   tested: { titles: string[], functionTests: Record<string, number[]> },
 *   random: ReturnType<typeof import('./seededRandom.mjs').seededRandom> }} context
 * @returns {Promise<{ id: string, ms: number, by?: object, tried: object[], reason?: string }>} `by` is the mutation that proved it
 */
export async function proveRow(row, context) {
  const begun = performance.now();
  const left = () => rowMs - (performance.now() - begun);
  const groups = [row.tests.filter(test => !isSlow(test)), row.tests.filter(isSlow)];
  let proof = { tried: [] };
  for (const group of groups.filter(tests => tests.length > 0)) {
    const tests = {
      files: [...new Set(group.map(({ file }) => file))],
      titles: [...new Set(group.map(({ title }) => title))],
    };
    const next = await proveBy(tests, { ...context, left });
    proof = { ...next, tried: [...proof.tried, ...next.tried] };
    if (proof.by !== undefined || isEnding()) break;
  }
  return { id: row.id, ms: performance.now() - begun, ...proof };
}
