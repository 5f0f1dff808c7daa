// npm run package — builds the production bundles and packs them into dist/terminull.vsix.
import { mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { createTerminal } from './console/terminal.mjs';
import { pinnedEnv, pinnedNode } from './install/pinnedNode.mjs';
import { prepare, reportFailure } from './prepare.mjs';
import { isMain } from './process/isMain.mjs';
import { endAll, endOnSignals, runCommand } from './process/processes.mjs';
import { projectRoot } from './projectRoot.mjs';

/** Where the packaged extension is put. */
export const vsixFile = path.join(projectRoot, 'dist', 'terminull.vsix');

/** Runs `vsce` on the pinned Node; returns the end of what it printed. */
export function vsce(...args) {
  const program = path.join(projectRoot, 'node_modules', '@vscode', 'vsce', 'vsce');
  return runCommand(pinnedNode, [program, ...args], {
    cwd: projectRoot,
    env: pinnedEnv(),
    deadlineMs: 5 * 60_000,
  });
}

// There is no public repository yet that relative links of the README could be turned to.
const packOptions = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];

/** Packs the extension. vsce runs `vscode:prepublish` first, which is the production build. */
export async function packageExtension(terminal = createTerminal()) {
  mkdirSync(path.dirname(vsixFile), { recursive: true });
  // Or the new package would hold the old one.
  rmSync(vsixFile, { force: true });
  await terminal.step('Packing the extension', () => vsce('package', ...packOptions, '--out', vsixFile));
  return vsixFile;
}

if (isMain(import.meta.url)) {
  const terminal = createTerminal();
  endOnSignals();
  try {
    await prepare(terminal);
    const file = await packageExtension(terminal);
    terminal.line(`${path.relative(projectRoot, file)} (${Math.round(statSync(file).size / 1024)} KB)`);
  } catch (error) {
    reportFailure(error, terminal);
  } finally {
    await endAll();
  }
}
