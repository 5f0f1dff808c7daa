/** How long an editor took to bring one extension up, in milliseconds, as it reports it itself. */
export interface ActivationTimes {
  /** Reading and compiling the bundle. */
  readonly loadCode: number;
  /** Inside `activate`. */
  readonly callActivate: number;
}

const cellsOf = (line: string): readonly string[] => line.split('|').map(cell => cell.trim());

/**
 * Finds an extension's row in the text of the editor's start-up performance view.
 *
 * @returns undefined while the view has no such row
 */
export function readActivationRow(view: string, extension: string): ActivationTimes | undefined {
  const lines = view.split('\n').map(cellsOf);
  const heading = lines.find(cells => cells.includes('Call Activate'));
  const row = lines.find(cells => cells.includes(extension));
  const number = (column: string): number | undefined => {
    const text = row?.[heading?.indexOf(column) ?? -1];
    return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
  };
  const loadCode = number('Load Code');
  const callActivate = number('Call Activate');
  return loadCode === undefined || callActivate === undefined ? undefined : { loadCode, callActivate };
}
