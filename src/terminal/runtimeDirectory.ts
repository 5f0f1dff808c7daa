import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** A Unix socket's path must fit its address structure: 104 bytes on macOS, 108 on Linux, with the final zero. */
const socketPathBytes = 100;
/** "/" + 16 hex digits + "/s" below the directory. */
const socketNameBytes = 20;

/**
 * The owner-only directory for sockets of running keepers.
 *
 * @param stateDirectory where Terminull keeps its state; used when its path is short enough for a socket
 * @throws when the only usable directory belongs to somebody else
 */
export function runtimeDirectory(stateDirectory: string): string {
  const own = join(stateDirectory, 'run');
  const fits = Buffer.byteLength(own) + socketNameBytes <= socketPathBytes;
  // One folder per user: in a shared temporary folder nobody else may prepare ours.
  const directory =
    fits || process.platform === 'win32' ? own : join(tmpdir(), `terminull-${userInfo().uid}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (process.platform !== 'win32') {
    const status = lstatSync(directory);
    if (!status.isDirectory() || status.uid !== userInfo().uid) {
      throw new Error(`The folder ${directory} belongs to somebody else.`);
    }
    chmodSync(directory, 0o700);
  }
  return directory;
}
