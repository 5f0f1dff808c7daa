import type { Outcome } from './summary.mjs';
import type { Row } from './table.mjs';

export interface RunnableRow extends Row {
  readonly run: () => { readonly command: string; readonly args: readonly string[] };
}
export type Found =
  { readonly ok: true; readonly env: NodeJS.ProcessEnv } | { readonly ok: false; readonly reason: string };
export function runRow(
  row: RunnableRow,
  context: {
    readonly outcomes: ReadonlyMap<string, Outcome>;
    readonly strict: boolean;
    readonly resource: (name: string) => Promise<Found>;
    readonly results?: string;
  },
): Promise<Outcome>;
