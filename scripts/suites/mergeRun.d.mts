export interface Run {
  readonly at: string;
  readonly commit?: string;
  readonly dirty?: boolean;
  readonly grep?: string;
}
export type TestOutcome = 'passed' | 'failed' | 'pending';
export interface TestResult {
  readonly title: string;
  readonly file: string;
  readonly outcome: TestOutcome;
  readonly run: number;
}
export interface SuiteRecord {
  readonly suite: string;
  readonly whole: boolean;
  readonly runs: readonly Run[];
  readonly tests: readonly TestResult[];
}
export type Titles = Readonly<
  Record<TestOutcome, readonly { readonly title: string; readonly file: string }[]>
>;
export function mergeRun(
  earlier: SuiteRecord | undefined,
  next: { readonly suite: string; readonly run: Run; readonly titles: Titles },
): SuiteRecord;
