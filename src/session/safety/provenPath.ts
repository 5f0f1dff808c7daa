import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { limits } from '../../../core/protocol/limits.ts';
import { isSecretName } from './secretName.ts';

/** What is at a path, with every link on the way resolved. */
export interface FoundPath {
  readonly real: string;
  readonly kind: 'file' | 'directory' | 'other';
}

/** Where an action would run, and how the file system is asked about it. */
export interface PathScope {
  readonly cwd: string;
  /** Relative paths are of `cwd`. Otherwise nobody knows what they are of, and none is proven. */
  readonly startsInCwd: boolean;
  /** The user's home folder, where there is one. */
  readonly home?: string | undefined;
  /** @returns undefined when nothing is there, or when it cannot be told */
  readonly look: (path: string) => FoundPath | undefined;
}

// Control, format (bidirectional overrides among them), private and unpaired characters, and separators.
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * What is at a path that exists, lies within the workspace by its words and by its links, and does not look secret. The
 * proof holds for the moment: who swaps a link afterwards has been allowed to run something that can.
 *
 * @returns undefined for everything else
 */
export function provenPath(path: string, scope: PathScope): FoundPath['kind'] | undefined {
  const absolute = withinWords(path, scope);
  const root = realRoot(scope);
  const found = absolute === undefined ? undefined : scope.look(absolute);
  if (root === undefined || found === undefined || found.kind === 'other') return undefined;
  return isOpenWithin(root, found.real) ? found.kind : undefined;
}

/** Whether something new at this path would lie within the workspace, with no link on the way out. */
export function isProvenNewPath(path: string, scope: PathScope): boolean {
  const absolute = withinWords(path, scope);
  const root = realRoot(scope);
  if (absolute === undefined || root === undefined) return false;
  for (let above = absolute; above !== dirname(above); above = dirname(above)) {
    const found = scope.look(above);
    if (found !== undefined) return found.kind === 'directory' && isOpenWithin(root, found.real);
  }
  return false;
}

/** The absolute form of a path that is within the workspace as far as its words say. */
function withinWords(path: string, { cwd, startsInCwd }: PathScope): string | undefined {
  if (path === '' || path.length > limits.pathChars || unseen.test(path) || !isAbsolute(cwd))
    return undefined;
  if (isReadOtherwise(path)) return undefined;
  if (!isAbsolute(path) && !startsInCwd) return undefined;
  // What is above a link is not what its words say.
  if (path.split(/[\\/]/).includes('..')) return undefined;
  const absolute = resolve(cwd, path);
  return isOpenWithin(cwd, absolute) ? absolute : undefined;
}

/** Some tools take `~` for the home folder, leave out blanks at the ends, or compose letters: then they open another file. */
function isReadOtherwise(path: string): boolean {
  return path.startsWith('~') || path.trim() !== path || path.normalize('NFC') !== path;
}

/** A workspace that is the whole file system, or all of the user's own files, encloses nothing. */
function realRoot({ cwd, home, look }: PathScope): string | undefined {
  const root = look(cwd)?.real;
  if (root === undefined || dirname(root) === root) return undefined;
  const realHome = home === undefined ? undefined : look(home)?.real;
  return realHome !== undefined && isWithin(root, realHome) ? undefined : root;
}

function isWithin(root: string, path: string): boolean {
  const inside = relative(root, path);
  return !isAbsolute(inside) && !inside.split(sep).includes('..');
}

function isOpenWithin(root: string, path: string): boolean {
  if (!isWithin(root, path)) return false;
  const inside = relative(root, path);
  const parts = inside === '' ? [] : inside.split(sep);
  // On Windows, what follows a colon names a stream of the file before it.
  return !parts.some(part => part.includes(':') || isSecretName(part));
}
