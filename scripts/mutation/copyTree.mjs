import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../projectRoot.mjs';

const linked = ['node_modules', 'dist'];

/** The files of the checkout as they are now, ignored ones left out. */
export function sourceFiles() {
  const args = ['-C', projectRoot, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 26, timeout: 20_000 });
  return [...new Set(names.split('\0'))].filter(name => {
    const place = path.join(projectRoot, name);
    return name !== '' && !linked.includes(name) && existsSync(place) && lstatSync(place).isFile();
  });
}

/** Copies the checkout into `folder`; packages and bundles are linked, which no test writes to. */
export function copyTree(folder) {
  for (const name of sourceFiles()) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    cpSync(path.join(projectRoot, name), path.join(folder, name));
  }
  for (const name of linked) {
    const place = path.join(projectRoot, name);
    if (existsSync(place)) symlinkSync(place, path.join(folder, name));
  }
}
