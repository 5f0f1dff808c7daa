import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../core/base/result.ts';

/** Bytes that a socket's path may have, without the final zero. Beyond it, some systems cut the path off without a word. */
const addressBytes = (platform: NodeJS.Platform): number => (platform === 'linux' ? 107 : 103);

/** "/" + 16 hex digits + "/s": what a keeper's socket adds to the path of the runtime directory. */
export const socketNameBytes = 19;

export type SocketPathFault = 'socket_path_too_long';

/**
 * Where a keeper listens. Elsewhere than on Windows that is a socket in its own folder, which nobody else may enter. On
 * Windows it is a named pipe, whose access list Node cannot set: other users of the machine may see its name once it is there,
 * and the system lets them read from it, not write. So its name cannot be guessed, nobody can take it before the keeper does
 * (a second pipe of a name is refused), and nothing is said before the token was. Unproven on Windows.
 *
 * @param directory the keeper's own folder
 */
export function keeperSocketPath(
  directory: string,
  platform: NodeJS.Platform = process.platform,
): Result<string, SocketPathFault> {
  if (platform === 'win32') return ok(`\\\\.\\pipe\\terminull-${randomBytes(16).toString('hex')}`);
  const path = join(directory, 's');
  return fitsSocket(path, platform) ? ok(path) : fail('socket_path_too_long');
}

export function fitsSocket(path: string, platform: NodeJS.Platform): boolean {
  return Buffer.byteLength(path) <= addressBytes(platform);
}
