import { readOnlyIf, type ArgumentRule } from './argumentRule.ts';
import { provenPath } from './provenPath.ts';

/** Tests of `find` with the value that follows each. It runs, deletes and writes by others, and follows links by options. */
const tests: ReadonlyMap<string, RegExp> = new Map([
  ['-name', /^[\w.,@+-]+$/],
  ['-iname', /^[\w.,@+-]+$/],
  ['-path', /^[\w.,@+/-]+$/],
  ['-type', /^[fdl]$/],
  ['-maxdepth', /^\d{1,4}$/],
  ['-mindepth', /^\d{1,4}$/],
]);

/** `find` that prints names: folders, then tests. */
export const findRule: ArgumentRule = (args, scope) => {
  const first = args.findIndex(arg => arg.startsWith('-'));
  const folders = first < 0 ? args : args.slice(0, first);
  const expression = first < 0 ? [] : args.slice(first);
  const isProven = folders.length > 0 && folders.every(folder => provenPath(folder, scope) !== undefined);
  return readOnlyIf(isProven && printsNames(expression));
};

function printsNames(expression: readonly string[]): boolean {
  for (let at = 0; at < expression.length; at += 1) {
    const name = expression[at] ?? '';
    if (name === '-print' || name === '-empty') continue;
    at += 1;
    if (tests.get(name)?.test(expression[at] ?? '') !== true) return false;
  }
  return true;
}
