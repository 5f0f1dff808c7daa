// What the tests of each suite came to, kept in out/results/<suite>.json from one run to the next.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../projectRoot.mjs';
import { mergeRun } from './mergeRun.mjs';
import { sourceState } from './sourceState.mjs';

export const resultsFolder = path.join(projectRoot, 'out', 'results');

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Begins the record of one run. A whole run takes the earlier record away at once, so that one that does not come to its end
 * leaves nothing; a run that `grep` narrows only replaces the tests that it ran.
 *
 * @param {string} suite
 * @param {{ grep?: string, folder?: string }} options
 * @returns {{ keep(titlesFile: string): void }} `keep` takes over what the run's reporter wrote
 */
export function beginRecord(suite, { grep, folder = resultsFolder } = {}) {
  const file = path.join(folder, `${suite}.json`);
  const run = { at: new Date().toISOString(), ...sourceState(), ...(grep ? { grep } : {}) };
  if (!grep) rmSync(file, { force: true });
  const keep = titlesFile => {
    const titles = readJson(titlesFile);
    if (titles === undefined) return;
    mkdirSync(folder, { recursive: true });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(mergeRun(readJson(file), { suite, run, titles }), undefined, 1));
    renameSync(draft, file);
  };
  return { keep };
}

/** All records that there are, by suite. */
export function readRecords(folder = resultsFolder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter(name => name.endsWith('.json'));
  return names
    .sort()
    .map(name => readJson(path.join(folder, name)))
    .filter(record => record !== undefined);
}
