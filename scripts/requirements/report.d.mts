import type { SuiteRecord, TestOutcome } from '../suites/mergeRun.mjs';
import type { Row } from './parseRows.mjs';

export interface CitingTest {
  readonly suite: string;
  readonly title: string;
  readonly file: string;
  readonly outcome: TestOutcome;
}
export interface RowReport {
  readonly row: Row;
  readonly state: 'met' | 'red' | 'open';
  readonly tests: readonly CitingTest[];
}
export interface LetterReport {
  readonly letter: string;
  readonly of: number;
  readonly met: readonly string[];
  readonly red: readonly string[];
  readonly open: readonly string[];
  readonly nonGoals: readonly string[];
}
export function reportRows(
  rows: readonly Row[],
  records: readonly SuiteRecord[],
): {
  readonly rows: readonly RowReport[];
  readonly unknown: readonly { readonly id: string; readonly test: CitingTest }[];
};
export function byLetter(reports: readonly RowReport[]): LetterReport[];
