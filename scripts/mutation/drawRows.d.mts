import type { RowReport } from '../requirements/report.mjs';
import type { SeededRandom } from './seededRandom.mjs';

export function drawRows(
  reports: readonly RowReport[],
  options: { readonly count: number; readonly id?: string; readonly random: SeededRandom },
): { readonly id: string; readonly tests: readonly { readonly title: string; readonly file: string }[] }[];
