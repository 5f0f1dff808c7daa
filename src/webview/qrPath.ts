import { create } from 'qrcode';

/** Modules of white around the code, as the standard asks (ISO/IEC 18004). */
const quietZone = 4;

/** A QR code as one SVG path of unit squares: rows of dark modules, each run one rectangle. */
export function qrPath(text: string): { readonly path: string; readonly size: number } {
  const { modules } = create(text, { errorCorrectionLevel: 'L' });
  const runs: string[] = [];
  for (let row = 0; row < modules.size; row += 1) {
    for (let column = 0; column < modules.size; column += 1) {
      if (modules.get(row, column) === 0) continue;
      const start = column;
      while (column < modules.size && modules.get(row, column) !== 0) column += 1;
      const length = column - start;
      runs.push(
        `M${String(start + quietZone)} ${String(row + quietZone)}h${String(length)}v1h-${String(length)}z`,
      );
    }
  }
  return { path: runs.join(''), size: modules.size + 2 * quietZone };
}
