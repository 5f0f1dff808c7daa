import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pinnedEnv, pinnedNode } from '../install/pinnedNode.mjs';
import { startService } from '../process/processes.mjs';
import { withTempFolder } from '../process/withTempFolder.mjs';

const tailLength = 4000;

const escape = text => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Mocha's options as the project sets them, without its list of files. */
function flagsOf(root) {
  const { spec: _spec, ...options } = JSON.parse(readFileSync(path.join(root, '.mocharc.json'), 'utf8'));
  return Object.entries(options).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, String(value)],
  );
}

function readTitles(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/**
 * Runs tests of a copy of the tree and says what each came to. No titles means that they never ran to an end: what they load
 * could not be loaded, or the time was up.
 *
 * @param {string} root the copy
 * @param {{ files: string[], titles?: string[], bail?: boolean, coverage?: string, hooks?: string, env?: NodeJS.ProcessEnv,
 *   deadlineMs: number }} options `titles` are exact, all tests of the files run without them; `coverage` is the folder that V8
 *   writes to; `hooks` a module that mocha loads first
 * @returns {Promise<{ titles?: import('../suites/mergeRun.mjs').Titles, ms: number, tail: string }>} `tail` is its last output
 */
export function runTests(root, { files, titles, bail = false, coverage, hooks, env = {}, deadlineMs }) {
  return withTempFolder(os.tmpdir(), 'tnm-', async folder => {
    const titlesFile = path.join(folder, 'titles.json');
    const temp = path.join(folder, 't');
    mkdirSync(temp);
    const args = [
      path.join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'),
      ...['--no-config', '--no-package', '--exit', ...flagsOf(root)],
      ...['--reporter', path.join(root, 'scripts', 'mochaReporter.mjs')],
      ...(titles === undefined ? [] : ['--grep', `^(?:${titles.map(escape).join('|')})$`]),
      ...(bail ? ['--bail'] : []),
      ...(hooks === undefined ? [] : ['--require', hooks]),
      ...files,
    ];
    const begun = performance.now();
    const own = { TERMINULL_COUNTS: '', TERMINULL_TITLES: titlesFile, MOCHA_GREP: '', TMPDIR: temp };
    const covered = coverage === undefined ? {} : { NODE_V8_COVERAGE: coverage };
    const service = startService(pinnedNode, args, {
      cwd: root,
      env: { ...pinnedEnv(), ...env, ...own, ...covered },
    });
    let tail = '';
    const keep = chunk => (tail = (tail + chunk).slice(-tailLength));
    for (const stream of [service.child.stdout, service.child.stderr])
      stream.setEncoding('utf8').on('data', keep);
    let timer;
    const late = new Promise(resolve => (timer = setTimeout(resolve, deadlineMs)));
    await Promise.race([service.exited, late]);
    clearTimeout(timer);
    await service.stop();
    return { titles: readTitles(titlesFile), ms: performance.now() - begun, tail };
  });
}
