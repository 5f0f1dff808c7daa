import type { Mutant } from './mutantsOf.mjs';
import type { RunFunction } from './readCoverage.mjs';
import type { SeededRandom } from './seededRandom.mjs';

export type RankedFunction = RunFunction & { readonly tests?: number | undefined };
export function rankFunctions(
  run: ReadonlyMap<string, RunFunction>,
  load: ReadonlyMap<string, RunFunction>,
  counts: Readonly<Record<string, number>>,
  random: SeededRandom,
): RankedFunction[];
export function chooseMutants(
  ranked: readonly RankedFunction[],
  run: ReadonlyMap<string, RunFunction>,
  read: (file: string) => string,
  limit: number,
  random: SeededRandom,
): (Mutant & { readonly tests?: number | undefined })[];
