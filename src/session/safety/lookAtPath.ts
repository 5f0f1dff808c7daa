import { realpathSync, statSync } from 'node:fs';
import type { FoundPath } from './provenPath.ts';

/** Asks the file system; what it refuses to tell is not there for us. */
export function lookAtPath(path: string): FoundPath | undefined {
  try {
    const real = realpathSync.native(path);
    const stat = statSync(real);
    return { real, kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'other' };
  } catch {
    return undefined;
  }
}
