import { closeSync, fsyncSync, openSync } from 'node:fs';
import { isCode } from './fileLock.ts';

/** How systems and network disks say that they have no such call: they write names by themselves. */
const unknownHere = ['EINVAL', 'EPERM', 'EACCES', 'EISDIR', 'ENOTSUP', 'ENOSYS'];

/**
 * Waits until the disk has a folder's list of names: a new file may be gone after a power cut otherwise, whatever was flushed
 * of its content.
 */
export function syncFolder(path: string): void {
  let folder: number | undefined;
  try {
    folder = openSync(path, 'r');
    fsyncSync(folder);
  } catch (error) {
    if (!unknownHere.some(code => isCode(error, code))) throw error;
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}
