export interface Counts {
  readonly passed: number;
  readonly failed: number;
}
export interface Outcome extends Counts {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly ms: number;
  readonly reason?: string;
}
export function sumOutcomes(outcomes: readonly Outcome[]): Counts;
export function summaryLines(outcomes: readonly Outcome[]): string[];
export function parseCounts(text: string): Counts | undefined;
