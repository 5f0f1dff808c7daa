import type { Titles } from '../suites/mergeRun.mjs';

export function judge(
  ran: Titles | undefined,
  asked: readonly string[],
): { readonly verdict: 'red' | 'green' | 'no answer'; readonly test?: string };
