export interface Span {
  readonly start: number;
  readonly end: number;
}
export interface RunFunction extends Span {
  readonly file: string;
  readonly name: string;
  readonly count: number;
  readonly idle: readonly Span[];
}
export function productFile(root: string, url: string): string | undefined;
export function readCoverage(folder: string, root: string): Map<string, RunFunction>;
