import os from 'node:os';
import path from 'node:path';
import { codeServerVersion, nodeVersion } from './versions.mjs';

/** The home folder; an empty HOME counts as none. */
export function homeFolder(env = process.env) {
  return env.HOME || os.userInfo().homedir;
}

/** Where big things that survive a clone are kept: TERMINULL_TEST_CACHE, else ~/.cache/terminull-test. */
export function cacheFolder(env = process.env) {
  return path.resolve(env.TERMINULL_TEST_CACHE || path.join(homeFolder(env), '.cache', 'terminull-test'));
}

/** Where the editor host of the pinned versions is, whether or not it is there. */
export function editorFolder(env = process.env) {
  return path.join(cacheFolder(env), `code-server-${codeServerVersion}-node-${nodeVersion}`);
}
