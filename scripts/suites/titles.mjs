import { writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Gathers what each test of a mocha run came to, by its full title, and writes it to `file` at the end. A test that never ran
 * (its hook failed, the run was ended) is in none of the three.
 *
 * @param {import('mocha').Runner} runner
 * @param {string} file
 * @param {string} root the folder that test files are named in
 */
export function writeTitles(runner, file, root) {
  const titles = { passed: [], failed: [], pending: [] };
  const take = list => test => list.push({ title: test.fullTitle(), file: nameIn(root, test.file) });
  runner.on('pass', take(titles.passed));
  runner.on('fail', take(titles.failed));
  runner.on('pending', take(titles.pending));
  runner.once('end', () => writeFileSync(file, JSON.stringify(titles)));
}

const nameIn = (root, file = '') => path.relative(root, file).split(path.sep).join('/');
