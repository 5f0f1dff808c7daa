export interface Counts {
  readonly passed: number;
  readonly failed: number;
}
export function readClosingLine(text: string): Counts | undefined;
