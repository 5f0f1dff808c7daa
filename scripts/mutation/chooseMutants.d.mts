import type { Mutant } from './mutantsOf.mjs';
import type { RunFunction } from './readCoverage.mjs';
import type { SeededRandom } from './seededRandom.mjs';

export type RankedFunction = RunFunction & { readonly own: number; readonly others: number };
export function rankFunctions(
  run: ReadonlyMap<string, RunFunction>,
  load: ReadonlyMap<string, RunFunction>,
  tested: {
    readonly titles: readonly string[];
    readonly functionTests: Readonly<Record<string, readonly number[]>>;
  },
  ownTitles: readonly string[],
  random: SeededRandom,
): RankedFunction[];
export function chooseMutants(
  ranked: readonly RankedFunction[],
  run: ReadonlyMap<string, RunFunction>,
  read: (file: string) => string,
  limit: number,
  random: SeededRandom,
): (Mutant & { readonly own: number; readonly others: number })[];
