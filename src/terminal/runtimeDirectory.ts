import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fitsSocket, socketNameBytes } from './keeperSocketPath.ts';
import { ownerOnlyDirectory, type DirectoryFault } from './ownerOnlyDirectory.ts';

/** The folder of this user's keepers cannot be used; `code` says why. */
export class RuntimeDirectoryError extends Error {
  readonly code: DirectoryFault;

  constructor(directory: string, code: DirectoryFault) {
    super(`The folder ${directory} cannot be used for running agents: ${reasons[code]}.`);
    this.name = 'RuntimeDirectoryError';
    this.code = code;
  }
}

const reasons: Readonly<Record<DirectoryFault, string>> = {
  foreign_directory: 'it belongs to somebody else',
  linked_directory: 'it is a link or a file',
  unwritable_directory: 'it cannot be made or written to',
};

/**
 * The owner-only directory for sockets of running keepers. It is looked at again whenever a keeper is started there.
 *
 * @param stateDirectory where Terminull keeps its state; used when its path is short enough for a socket
 * @throws RuntimeDirectoryError when the only usable directory is not ours alone
 */
export function runtimeDirectory(
  stateDirectory: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const own = join(stateDirectory, 'run');
  const fits = platform === 'win32' || fitsSocket(`${own}${'x'.repeat(socketNameBytes)}`, platform);
  // One folder per user: in a shared temporary folder nobody else may prepare ours.
  const directory = fits ? own : join(tmpdir(), `terminull-${userInfo().uid}`);
  const found = ownerOnlyDirectory(directory);
  if (!found.ok) throw new RuntimeDirectoryError(directory, found.code);
  return found.value;
}
