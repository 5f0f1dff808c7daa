import { useLayoutEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { fontPx } from './fontPx.ts';

/** The usual one, until it is measured. */
const usualCellWidth = 0.6;
/** On both sides of a line together. */
const marginPx = 16;

/**
 * The font's size at which the columns fit the box.
 *
 * @param sample an element with a hundred zeros in the terminal's font
 */
export function useFontPx(
  box: RefObject<HTMLElement | null>,
  sample: RefObject<HTMLElement | null>,
  columns: number,
): number {
  const [size, setSize] = useState(() => fontPx(innerWidth - marginPx, columns, usualCellWidth));
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const measure = (): void => {
      const drawn = sample.current;
      const px = drawn === null ? 0 : Number.parseFloat(getComputedStyle(drawn).fontSize);
      const width = drawn === null || px === 0 ? 0 : drawn.getBoundingClientRect().width / 100 / px;
      const cellWidth = width > 0 ? width : usualCellWidth;
      setSize(fontPx(current.clientWidth - marginPx, columns, cellWidth));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [box, sample, columns]);
  return size;
}
