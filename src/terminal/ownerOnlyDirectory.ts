import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { isCode } from '../../platform/node/files/fileLock.ts';

/**
 * `foreign_directory`: another user owns it. `linked_directory`: it is a link, or something else than a folder: whoever made it
 * decides where it leads. `unwritable_directory`: it cannot be made or used, by the disk's or the system's word.
 */
export type DirectoryFault = 'foreign_directory' | 'linked_directory' | 'unwritable_directory';

/** The user that a process runs as, and the system. Windows keeps a user's folders to the user by itself. */
const here = { platform: process.platform, uid: userInfo().uid };

/** Makes a folder that nobody else may enter, or makes sure of one that is there. To be called at each use. */
export function ownerOnlyDirectory(
  directory: string,
  { platform, uid } = here,
): Result<string, DirectoryFault> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (platform === 'win32') return ok(directory);
    const status = lstatSync(directory);
    if (!status.isDirectory()) return fail('linked_directory');
    if (status.uid !== uid) return fail('foreign_directory');
    if ((status.mode & 0o077) !== 0) chmodSync(directory, 0o700);
    return ok(directory);
  } catch (error) {
    // A file is there, or a link that leads nowhere.
    return fail(
      isCode(error, 'EEXIST') || isCode(error, 'ENOTDIR') ? 'linked_directory' : 'unwritable_directory',
    );
  }
}
