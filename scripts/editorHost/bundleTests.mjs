import { rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { CommandFailed } from '../process/processes.mjs';
import { projectRoot } from '../projectRoot.mjs';
import { testFiles } from '../suites/testFiles.mjs';

/**
 * Bundles the tests that run inside the extension host to CommonJS, which every editor's host can load.
 *
 * @param {string} source folder with index.ts and the *.test.ts files
 * @param {string} target folder to fill; it is emptied first
 * @returns {Promise<string>} what `extensionTestsPath` must name
 */
export async function bundleTests(
  source = path.join(projectRoot, 'test', 'host'),
  target = path.join(projectRoot, 'out', 'host'),
) {
  const tests = testFiles(source);
  if (tests.length === 0) throw new CommandFailed(`There are no tests in ${source}.`, '');
  rmSync(target, { recursive: true, force: true });
  await build({
    absWorkingDir: projectRoot,
    entryPoints: [path.join(source, 'index.ts'), ...tests],
    outdir: target,
    outbase: source,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return path.join(target, 'index.cjs');
}
