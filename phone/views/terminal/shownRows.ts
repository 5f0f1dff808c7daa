import { lineText, type Line, type TerminalScreen } from '../../state/terminalScreen.ts';

/** The rows of a screen without the empty ones at its end, which say nothing: a cursor among them is shown, too. */
export function shownRows({ rows, cursor }: Pick<TerminalScreen, 'rows' | 'cursor'>): readonly Line[] {
  const last = rows.findLastIndex(row => row.length > 0);
  return rows.slice(0, Math.max(last, cursor.visible ? cursor.row : 0) + 1);
}

/** What somebody who hears the screen is told once it is quiet: the line of the cursor, or else the last one. */
export function spokenLine({ rows, cursor }: Pick<TerminalScreen, 'rows' | 'cursor'>): string {
  const at = cursor.visible ? lineText(rows[cursor.row] ?? []).trim() : '';
  return at !== '' ? at : lineText(rows.findLast(row => lineText(row).trim() !== '') ?? []).trim();
}
