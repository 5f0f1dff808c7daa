import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { userInfo } from 'node:os';

const maxBytes = 1_048_576;

/**
 * Reads a small file that only its owner may read; a wider mode is narrowed first.
 *
 * @returns undefined when there is none
 * @throws when it belongs to somebody else, is a link, or is too large
 */
export function readOwnerFile(path: string): string | undefined {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return undefined;
  if (!status.isFile() || status.size > maxBytes) throw new Error(`${path} is not a file of ours.`);
  if (process.platform !== 'win32') {
    if (status.uid !== userInfo().uid) throw new Error(`${path} belongs to somebody else.`);
    if ((status.mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
  return readFileSync(path, 'utf8');
}

/** Replaces a file whole: a reader sees the old or the new content, also after a crash. */
export function writeOwnerFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const file = openSync(temporary, 'wx', 0o600);
  try {
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    // It may hold a secret, and nobody would ever remove it.
    rmSync(temporary, { force: true });
    throw error;
  }
}
