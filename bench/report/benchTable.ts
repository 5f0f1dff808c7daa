import { isOver, toBenchRow, type Measurement } from './benchRow.ts';

const headings = ['name', 'value', 'unit', 'limit', 'ratio', ''] as const;
/** Columns that hold numbers, which line up at their right. */
const numeric = new Set([1, 3, 4]);

/** Three digits that count, more only before the point: 0.41, 6.2, 318. */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 || Number.isInteger(value) ? 1 : 2).replace(/\.0$/, '');
}

function cells(measurement: Measurement): readonly string[] {
  const row = toBenchRow(measurement);
  const { name, value, unit } = row;
  const number = (each: number | null): string => (each === null ? '-' : formatNumber(each));
  if (value === null) return [name, '-', unit, number(row.limit), '-', `not measured: ${measurement.note}`];
  const ratio = row.ratio === null ? '-' : row.ratio.toFixed(2);
  const note = isOver(row) ? `OVER  ${measurement.note}` : measurement.note;
  return [name, number(value), unit, number(row.limit), ratio, note];
}

/** The table as lines: what is over its limit and what could not be measured say so in the last column. */
export function benchTable(measurements: readonly Measurement[]): readonly string[] {
  const rows = [headings, ...measurements.map(cells)];
  const widths = headings.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  return rows.map(row =>
    row
      .map((cell, column) => {
        const width = column === headings.length - 1 ? 0 : (widths[column] ?? 0);
        return numeric.has(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
