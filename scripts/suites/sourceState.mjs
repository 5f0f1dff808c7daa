import { execFileSync } from 'node:child_process';
import { projectRoot } from '../projectRoot.mjs';

const git = (...args) =>
  execFileSync('git', ['-C', projectRoot, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 20_000,
  }).trim();

/**
 * Which commit the sources are at, and whether they differ from it; both undefined outside a clone.
 *
 * @returns {{ commit?: string, dirty?: boolean }}
 */
export function sourceState() {
  try {
    return { commit: git('rev-parse', 'HEAD'), dirty: git('status', '--porcelain') !== '' };
  } catch {
    return {};
  }
}
