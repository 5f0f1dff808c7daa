import type { FoundPath, PathScope } from '../../../../src/session/safety/provenPath.ts';

const files: Readonly<Record<string, FoundPath['kind'] | { readonly target: string }>> = {
  '/work': 'directory',
  '/work/a.ts': 'file',
  '/work/b.ts': 'file',
  '/work/my file.md': 'file',
  '/work/src': 'directory',
  '/work/src/c.ts': 'file',
  '/work/pipe': 'other',
  '/work/.env': 'file',
  '/work/.git': 'directory',
  '/work/.git/config': 'file',
  '/work/.github': 'directory',
  '/work/server.pem': 'file',
  '/work/secrets.json': 'file',
  '/work/out': { target: '/etc' },
  '/work/key': { target: '/work/.env' },
  '/work/here': { target: '/work/src' },
  '/etc': 'directory',
  '/etc/shadow': 'file',
  '/etc/hosts': 'file',
  '/workshop': 'directory',
  '/workshop/x': 'file',
};

/** A workspace with links that lead out of it, to a secret, and within. */
export const workspace: PathScope = { cwd: '/work', startsInCwd: true, look: lookUp };

export function lookUp(path: string): FoundPath | undefined {
  let real = '';
  for (const part of path.split('/').filter(name => name !== '')) {
    real = `${real}/${part}`;
    const entry = files[real];
    if (typeof entry === 'object') real = entry.target;
  }
  const entry = files[real];
  return typeof entry === 'string' ? { real, kind: entry } : undefined;
}
