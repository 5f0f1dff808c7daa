import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** All *.test.ts files below a folder; none where there is no such folder. */
export function testFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map(entry => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}
