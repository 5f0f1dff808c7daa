export interface Row {
  readonly id: string;
  readonly letter: string;
  readonly text: string;
  readonly maps?: string | undefined;
  readonly isGoal: boolean;
}
export function parseRows(text: string): Row[];
