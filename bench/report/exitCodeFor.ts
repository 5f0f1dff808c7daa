import { isOver, type BenchRow } from './benchRow.ts';

/** 1 when something could not be measured or, if `strict`, a limit is exceeded; else 0. */
export function exitCodeFor(rows: readonly BenchRow[], { strict }: { readonly strict: boolean }): 0 | 1 {
  const isBad = rows.some(row => row.value === null || (strict && isOver(row)));
  return isBad || rows.length === 0 ? 1 : 0;
}
