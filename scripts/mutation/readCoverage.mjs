import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folders whose code the product is made of. */
const product = /^(core|platform|src|relay|phone)\//;

/** The name of a product's file below `root` that a script's address stands for, else undefined. */
export function productFile(root, url) {
  if (!url.startsWith('file:')) return undefined;
  const name = path.relative(root, fileURLToPath(url)).split(path.sep).join('/');
  return product.test(name) && name.endsWith('.ts') ? name : undefined;
}

const keyOf = ({ startOffset, endOffset }) => `${startOffset}-${endOffset}`;

/**
 * Adds up what V8 wrote for all processes of one run. Types are stripped in place, so its offsets are those of the sources.
 *
 * @typedef {{ file: string, name: string, start: number, end: number, count: number,
 *   idle: { start: number, end: number }[] }} RunFunction `idle` is what did not run in any call, `count` how often it ran
 * @param {string} folder NODE_V8_COVERAGE of the run
 * @param {string} root
 * @returns {Map<string, RunFunction>} by "file:start-end"; functions that never ran have the count 0
 */
export function readCoverage(folder, root) {
  const real = realpathSync(root);
  /** @type {Map<string, RunFunction>} */
  const found = new Map();
  for (const name of readdirSync(folder).filter(name => name.endsWith('.json'))) {
    const { result } = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
    for (const { url, functions } of result) {
      const file = productFile(real, url);
      if (file === undefined) continue;
      for (const { functionName, ranges } of functions) {
        const [{ startOffset: start, endOffset: end, count }] = ranges;
        const key = `${file}:${keyOf(ranges[0])}`;
        const before = found.get(key) ?? { file, name: functionName, start, end, count: 0, idle: undefined };
        const idle = ranges.filter(range => range.count === 0);
        const ran = count > 0;
        found.set(key, {
          ...before,
          count: before.count + count,
          idle: !ran ? before.idle : bothIdle(before.idle, idle),
        });
      }
    }
  }
  for (const one of found.values()) one.idle ??= [];
  return found;
}

/** What was idle in both of two runs; `before` is undefined where there was none yet. */
function bothIdle(before, ranges) {
  const idle = ranges.map(({ startOffset: start, endOffset: end }) => ({ start, end }));
  return before === undefined
    ? idle
    : before.filter(one => idle.some(other => other.start <= one.start && one.end <= other.end));
}
