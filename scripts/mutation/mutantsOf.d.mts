export interface Mutant {
  readonly file: string;
  readonly at: number;
  readonly line: number;
  readonly kind: string;
  readonly text: string;
}
export function mutantsOf(file: string, text: string, wanted?: (at: number) => boolean): Mutant[];
