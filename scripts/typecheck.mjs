// Checks every layer against its own tsconfig: core sees neither Node nor the DOM, the phone sees no Node, and so on.
import { spawnSync } from 'node:child_process';

const projects = [
  'core',
  'platform/node',
  'platform/web',
  'src',
  'src/webview/ui',
  'relay',
  'phone',
  'phone/sw',
  'test',
  'bench',
  'scripts',
];
let failed = false;
for (const project of projects) {
  const { status } = spawnSync('tsc', ['-p', project], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) failed = true;
}
process.exit(failed ? 1 : 0);
