// node-pty as the keeper loads it: a folder beside the bundle, since its native parts and its Windows workers are files.
import { cpSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../projectRoot.mjs';

const source = path.join(projectRoot, 'node_modules', 'node-pty');
const parts = ['package.json', 'LICENSE', 'lib', 'prebuilds'];

/** Lets a bundle in `dist` find the library in `dist/node-pty`. */
export const terminalLibraryPlugin = {
  name: 'terminal-library',
  setup(build) {
    build.onResolve({ filter: /^node-pty$/ }, () => ({ path: './node-pty/lib/index.js', external: true }));
  },
};

/** Copies what runs: no sources, no debug symbols. */
export function copyTerminalLibrary(dist) {
  for (const part of parts)
    cpSync(path.join(source, part), path.join(dist, 'node-pty', part), {
      recursive: true,
      filter: file => !/\.(pdb|map)$/.test(file),
    });
}
