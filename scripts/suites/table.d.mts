export interface Row {
  readonly name: string;
  readonly title: string;
  readonly needs: readonly string[];
  readonly tests?: string;
  readonly counts: boolean;
  readonly minutes: number;
}
export const table: readonly Row[];
export function selectRows(only: string | undefined): {
  readonly rows: readonly Row[];
  readonly unknown: readonly string[];
};
