import type { SuiteRecord } from '../suites/mergeRun.mjs';

export function resultAges(
  records: readonly SuiteRecord[],
  context: {
    readonly suites: readonly string[];
    readonly state: { readonly commit?: string; readonly dirty?: boolean };
    readonly now: number;
  },
): { readonly suite: string; readonly text: string; readonly stale: boolean }[];
