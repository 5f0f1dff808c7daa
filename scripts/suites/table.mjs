// What `npm test` runs, in this order. `needs` names rows that must have passed, or resources that must be there; `tests` is
// the folder whose *.test.ts files a suite runs: a suite without any fails.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pinnedNode } from '../install/pinnedNode.mjs';
import { projectRoot } from '../projectRoot.mjs';

const inProject = (...names) => path.join(projectRoot, ...names);
const script = (...names) => ({ command: pinnedNode, args: [inProject(...names)] });

function tool(packageName, bin, ...args) {
  return { command: pinnedNode, args: [inProject('node_modules', packageName, bin), ...args] };
}

/** Runs one folder with the project's mocha options; its own `spec` is left out, or every run would run it too. */
function mocha(folder) {
  const { spec: _spec, ...options } = JSON.parse(readFileSync(inProject('.mocharc.json'), 'utf8'));
  const flags = Object.entries(options).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, String(value)],
  );
  const reporter = ['--reporter', inProject('scripts', 'mochaReporter.mjs')];
  const grep = process.env.MOCHA_GREP ? ['--grep', process.env.MOCHA_GREP] : [];
  const spec = `${folder}/**/*.test.ts`;
  return tool('mocha', 'bin/mocha.js', '--no-config', '--no-package', ...flags, ...reporter, ...grep, spec);
}

/**
 * @typedef {{ name: string, title: string, needs: string[], tests?: string, counts: boolean, minutes: number,
 *   run: () => { command: string, args: string[] } }} Row `counts`: it writes its test counts to TERMINULL_COUNTS
 */

/** @type {Row[]} */
export const table = [
  {
    name: 'typecheck',
    title: 'Types',
    needs: [],
    counts: false,
    minutes: 10,
    run: () => script('scripts', 'typecheck.mjs'),
  },
  {
    name: 'lint',
    title: 'Lint',
    needs: [],
    counts: false,
    minutes: 10,
    run: () =>
      tool('eslint', 'bin/eslint.js', '--cache', '--cache-location', 'node_modules/.cache/eslint/', '.'),
  },
  {
    name: 'format',
    title: 'Format',
    needs: [],
    counts: false,
    minutes: 5,
    run: () => tool('prettier', 'bin/prettier.cjs', '--check', '--log-level', 'warn', '.'),
  },
  {
    name: 'build',
    title: 'Build',
    needs: [],
    counts: false,
    minutes: 5,
    run: () => ({ command: pinnedNode, args: [inProject('esbuild.mjs'), '--production'] }),
  },
  {
    name: 'unit',
    title: 'Unit tests',
    needs: [],
    tests: 'test/unit',
    counts: true,
    minutes: 10,
    run: () => mocha('test/unit'),
  },
  {
    name: 'contract',
    title: 'Contract tests',
    needs: [],
    tests: 'test/contract',
    counts: true,
    minutes: 10,
    run: () => mocha('test/contract'),
  },
  {
    name: 'services',
    title: 'Relay as a service',
    needs: ['build'],
    tests: 'test/services',
    counts: true,
    minutes: 10,
    run: () => mocha('test/services'),
  },
  {
    name: 'package',
    title: 'Package the extension',
    needs: ['build'],
    counts: false,
    minutes: 5,
    run: () => script('scripts', 'package.mjs'),
  },
  {
    name: 'vsix',
    title: 'The package in a clean editor',
    needs: ['package', 'editor', 'chromium'],
    counts: true,
    minutes: 5,
    run: () => script('scripts', 'packageCheck.mjs'),
  },
  {
    name: 'host',
    title: 'In a real extension host',
    needs: ['package', 'editor', 'chromium'],
    tests: 'test/host',
    counts: true,
    minutes: 15,
    run: () => script('scripts', 'hostTests.mjs'),
  },
  {
    name: 'e2e',
    title: 'Editor, relay and phone together',
    needs: ['package', 'editor', 'chromium'],
    tests: 'test/e2e',
    counts: true,
    minutes: 15,
    run: () => mocha('test/e2e'),
  },
];

const rowNamed = name => table.find(row => row.name === name);

/**
 * The rows to run, in order: all, or those named and what they need.
 *
 * @param {string | undefined} only names separated by commas
 * @returns {{ rows: Row[], unknown: string[] }}
 */
export function selectRows(only) {
  if (only === undefined) return { rows: table, unknown: [] };
  const names = only
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');
  const chosen = new Set();
  const choose = row => {
    if (row === undefined || chosen.has(row)) return;
    chosen.add(row);
    for (const need of row.needs) choose(rowNamed(need));
  };
  for (const name of names) choose(rowNamed(name));
  return {
    rows: table.filter(row => chosen.has(row)),
    unknown: names.filter(name => rowNamed(name) === undefined),
  };
}
