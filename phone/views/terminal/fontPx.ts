/** Smaller cannot be read; what does not fit then is scrolled to. */
const leastPx = 9;
const mostPx = 14;
/** Between two sizes: text moves no more than it has to when a window is dragged. */
const stepPx = 0.25;

/**
 * @param roomPx what a line may take
 * @param cellWidth of one column, in parts of the font's size
 * @returns the size at which all columns fit, if that can be read
 */
export function fontPx(roomPx: number, columns: number, cellWidth: number): number {
  const fitting = Math.floor(roomPx / (columns * cellWidth) / stepPx) * stepPx;
  return Math.min(Math.max(fitting, leastPx), mostPx);
}

/** Whole pixels, so that rows touch: boxes are drawn across them. */
export function rowPx(fontSizePx: number): number {
  return Math.round(fontSizePx * 1.25);
}
