import type { ScreenPicture, StyledRun } from '../../core/protocol/screenPicture.ts';

/** A line of a terminal, in runs of one style each. */
export type Line = readonly StyledRun[];

/** What a terminal shows, as this phone knows it. A row that did not change stays the same object. */
export interface TerminalScreen extends Omit<ScreenPicture, 'rows' | 'changed' | 'cut'> {
  /** The terminal that it is of: revisions and numbers of lines are its own. */
  readonly id: string;
  readonly rows: readonly Line[];
  /** What did not fit; undefined when all of it is there. */
  readonly cut: ScreenPicture['cut'];
}

/**
 * @param known what was there at the revision that was asked from
 * @returns undefined when the change is of something that is not known: it is to be asked for whole
 */
export function applyPicture(
  known: TerminalScreen | undefined,
  id: string,
  { changed, cut, rows: count, ...head }: ScreenPicture,
): TerminalScreen | undefined {
  const isWhole = changed.length >= count;
  const before = known?.id === id ? known : undefined;
  const rows: (Line | undefined)[] = Array.from({ length: count }, (_, row) => before?.rows[row]);
  for (const { row, runs } of changed) if (row < count) rows[row] = runs;
  if (!rows.every(row => row !== undefined)) return undefined;
  // It is shown on the screen, or nowhere.
  const cursor = {
    ...head.cursor,
    row: Math.min(head.cursor.row, count - 1),
    column: Math.min(head.cursor.column, head.columns - 1),
  };
  return { ...head, cursor, id, rows, cut: cut ?? (isWhole ? undefined : before?.cut) };
}

export function lineText(line: Line): string {
  return line.map(({ text }) => text).join('');
}
