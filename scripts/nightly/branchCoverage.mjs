import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { productFile } from '../mutation/readCoverage.mjs';

/**
 * How many of the blocks that V8 tells apart in some files ran at all: a branch that was never taken is a block without a run.
 *
 * @param {string} folder NODE_V8_COVERAGE of one run
 * @param {string} root
 * @param {readonly RegExp[]} files of names below the root
 * @returns {{ file: string, taken: number, all: number }[]}
 */
export function branchCoverage(folder, root, files) {
  /** @type {Map<string, Map<string, number>>} */
  const blocks = new Map();
  for (const name of readdirSync(folder).filter(each => each.endsWith('.json'))) {
    const { result } = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
    for (const { url, functions } of result) {
      const file = productFile(root, url);
      if (file === undefined || !files.some(pattern => pattern.test(file))) continue;
      const counts = blocks.get(file) ?? new Map();
      blocks.set(file, counts);
      for (const { startOffset, endOffset, count } of functions.flatMap(each => each.ranges)) {
        const key = `${startOffset}-${endOffset}`;
        counts.set(key, (counts.get(key) ?? 0) + count);
      }
    }
  }
  return [...blocks]
    .map(([file, counts]) => ({
      file,
      taken: [...counts.values()].filter(count => count > 0).length,
      all: counts.size,
    }))
    .sort((a, b) => a.file.localeCompare(b.file));
}
