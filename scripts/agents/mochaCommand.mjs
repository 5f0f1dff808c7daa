import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pinnedNode } from '../install/pinnedNode.mjs';
import { projectRoot } from '../projectRoot.mjs';

const inProject = (...names) => path.join(projectRoot, ...names);
/** A real agent takes seconds to start. */
const timeoutMs = 90_000;

/** How to run one folder with the project's mocha options and a longer timeout. */
export function mochaCommand(folder, grep) {
  const { spec: _spec, ...options } = JSON.parse(readFileSync(inProject('.mocharc.json'), 'utf8'));
  const flags = Object.entries({ ...options, timeout: timeoutMs }).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, String(value)],
  );
  const reporter = ['--reporter', inProject('scripts', 'mochaReporter.mjs')];
  const selection = grep === undefined ? [] : ['--grep', grep];
  const program = [inProject('node_modules', 'mocha', 'bin', 'mocha.js'), '--no-config', '--no-package'];
  return {
    command: pinnedNode,
    args: [...program, ...flags, ...reporter, ...selection, `${folder}/**/*.test.ts`],
  };
}
