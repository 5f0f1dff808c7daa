import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { ProgramFinder } from './claudeAdapter.ts';

const outputBytes = 64 * 1024;

/** Where installers put programs that a window opened from a dock does not have in its PATH. */
const usualFolders = ['.local/bin', '.claude/local', '.npm-global/bin', 'bin'];

/** Programs of this machine. On Windows only `.exe` files: a `.cmd` would need a shell. */
export function createNodeProgramFinder(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ProgramFinder {
  return {
    find(program) {
      if (isAbsolute(program)) return isExecutable(program) ? program : undefined;
      const names = process.platform === 'win32' ? [`${program}.exe`] : [program];
      return searchFolders(environment)
        .flatMap(folder => names.map(name => join(folder, name)))
        .find(isExecutable);
    },
    run(path, args, signal) {
      return new Promise(resolve => {
        const options = {
          signal,
          env: { ...environment },
          maxBuffer: outputBytes,
          encoding: 'utf8',
          windowsHide: true,
        } as const;
        const child = execFile(path, args, options, (error, stdout) => resolve(error ? undefined : stdout));
        // A program that waits for its input to end would wait for the deadline.
        child.stdin?.end();
      });
    },
  };
}

function searchFolders(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const path = (environment.PATH ?? environment.Path ?? '').split(delimiter).filter(isAbsolute);
  const home = environment.HOME ?? homedir();
  return [...path, ...usualFolders.map(folder => join(home, folder)), '/usr/local/bin', '/opt/homebrew/bin'];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
