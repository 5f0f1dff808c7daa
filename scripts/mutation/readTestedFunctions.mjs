import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CommandFailed } from '../process/processes.mjs';
import { withTempFolder } from '../process/withTempFolder.mjs';
import { projectRoot } from '../projectRoot.mjs';
import { runTests } from './runTests.mjs';

const suites = ['test/unit/', 'test/contract/', 'test/services/'];
const cacheFolder = path.join(projectRoot, 'out', 'mutation');
const deadlineMs = 10 * 60_000;

/** Names what decides the answer: the sources and the tests. */
function stampOf(root, files) {
  const hash = createHash('sha256').update(suites.join());
  for (const file of files.filter(name => name.endsWith('.ts')).sort()) {
    hash.update(`${file}\0`).update(readFileSync(path.join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * Which unit, contract and services tests execute each function, by "file:start-end". One whole run tells, and is kept in out/mutation
 * until sources or tests change.
 *
 * @param {string} root a copy of the tree
 * @param {string[]} files all its files
 * @returns {Promise<{ titles: string[], functionTests: Record<string, number[]> }>} a test is its place in `titles`
 */
export async function readTestedFunctions(root, files) {
  const cache = path.join(cacheFolder, `tests-${stampOf(root, files)}.json`);
  if (existsSync(cache)) return JSON.parse(readFileSync(cache, 'utf8'));
  return withTempFolder(os.tmpdir(), 'tnm-', async folder => {
    const file = path.join(folder, 'tests.json');
    const { tail } = await runTests(root, {
      files: files.filter(name => name.endsWith('.test.ts') && suites.some(suite => name.startsWith(suite))),
      hooks: path.join(root, 'scripts', 'mutation', 'countHooks.mjs'),
      env: { TERMINULL_FUNCTION_TESTS: file },
      deadlineMs,
    });
    if (!existsSync(file)) throw new CommandFailed('The tests did not come to their end.', tail);
    mkdirSync(cacheFolder, { recursive: true });
    writeFileSync(cache, readFileSync(file));
    return JSON.parse(readFileSync(file, 'utf8'));
  });
}
