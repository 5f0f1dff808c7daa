import fs, { readdirSync, statSync, truncateSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

/** How much of each file the disk has for good, by inode. */
const synced = new Map<number, number>();

// The real disk is not waited for: what it would have for good is written down instead.
fs.fsyncSync = (file: number): void => {
  const { ino, size } = fs.fstatSync(file);
  synced.set(ino, size);
};
syncBuiltinESMExports();

/** The power fails: of every file below `folder` only that is left for which somebody waited for the disk. */
export function failPower(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    const { ino, size } = statSync(path);
    if (statSync(path).isFile()) truncateSync(path, Math.min(size, synced.get(ino) ?? 0));
  }
}
