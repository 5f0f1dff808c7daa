import {
  maxPageLines,
  type PageRequest,
  type ScreenPage,
  type Scrollback,
} from '../../core/protocol/screenPicture.ts';
import type { Line } from './terminalScreen.ts';

/** Lines above a terminal's screen that this phone has: without a hole, the first of them has the number `from`. */
export interface OlderLines {
  readonly from: number;
  readonly lines: readonly Line[];
}

export const noOlderLines: OlderLines = { from: 0, lines: [] };

/** The number of the line after the last one above the screen. */
export function endOf({ first, count }: Scrollback): number {
  return first + count;
}

/**
 * Drops what the terminal does not keep any more: the oldest, or all when its lines have got new numbers. Numbers only grow,
 * so lines that reach beyond the screen's first were read later than that.
 */
export function keptLines(older: OlderLines, scrollback: Scrollback): OlderLines {
  const olderEnd = older.from + older.lines.length;
  if (older.lines.length === 0 || olderEnd <= scrollback.first) {
    const from = endOf(scrollback);
    return older.lines.length === 0 && older.from === from ? older : { from, lines: [] };
  }
  if (older.from >= scrollback.first) return older;
  return { from: scrollback.first, lines: older.lines.slice(scrollback.first - older.from) };
}

/** Those above a screen that has these lines above it. */
export function linesAbove({ from, lines }: OlderLines, scrollback: Scrollback): readonly Line[] {
  const count = endOf(scrollback) - from;
  return count >= lines.length ? lines : lines.slice(0, Math.max(count, 0));
}

/** How many there are between those that are known and the screen. */
export function missingLines({ from, lines }: OlderLines, scrollback: Scrollback): number {
  return Math.max(endOf(scrollback) - from - lines.length, 0);
}

/**
 * The page that closes the hole between what is known and the screen.
 *
 * @param isReading somebody reads the older lines, so they stay; else the newest page takes their place when the hole is large
 */
export function pageOfMissing(
  older: OlderLines,
  scrollback: Scrollback,
  isReading: boolean,
): PageRequest | undefined {
  const end = endOf(scrollback);
  if (older.lines.length === 0) {
    const limit = Math.min(maxPageLines, scrollback.count);
    return limit === 0 ? undefined : { before: end, limit };
  }
  const missing = missingLines(older, scrollback);
  if (missing === 0) return undefined;
  if (missing > maxPageLines && !isReading) return { before: end, limit: maxPageLines };
  const before = Math.min(older.from + older.lines.length + maxPageLines, end);
  return { before, limit: before - older.from - older.lines.length };
}

/** The page before all that is known. */
export function pageBefore(older: OlderLines, { first }: Scrollback): PageRequest | undefined {
  const limit = Math.min(maxPageLines, older.from - first);
  return older.lines.length === 0 || limit <= 0 ? undefined : { before: older.from, limit };
}

/** @returns with the page before or after what is known; the page alone, if it is newer and does not touch that */
export function addPage(older: OlderLines, { from, lines }: ScreenPage): OlderLines {
  if (lines.length === 0) return older;
  const read = lines.map(({ runs }) => runs);
  const olderEnd = older.from + older.lines.length;
  if (from + read.length === older.from) return { from, lines: [...read, ...older.lines] };
  if (from === olderEnd) return { from: older.from, lines: [...older.lines, ...read] };
  return from > olderEnd || older.lines.length === 0 ? { from, lines: read } : older;
}
