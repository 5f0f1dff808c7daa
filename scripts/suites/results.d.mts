import type { SuiteRecord } from './mergeRun.mjs';

export const resultsFolder: string;
export function beginRecord(
  suite: string,
  options?: { readonly grep?: string; readonly folder?: string },
): { keep(titlesFile: string): void };
export function readRecords(folder?: string): SuiteRecord[];
