import type { IBufferCell, IBufferLine } from '@xterm/headless';
import type { StyledRun } from '../../core/protocol/screenPicture.ts';

/** Of one cell, in UTF-16 units: a letter with a few marks upon it, or a picture of a family; not a tower of marks. */
const cellChars = 32;

// A cell has no control character, unless a decoder fails us; what moves other characters about is not drawn anywhere.
const unwanted = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** One of ASCII, which most are. */
const plain = /^[!-~]$/;

type Style = Omit<StyledRun, 'text' | 'cells'>;

/** Tells styles apart without making one for each cell. */
interface StyleKey {
  readonly fg: number;
  readonly bg: number;
  readonly flags: number;
}

/** A line of a terminal's screen as runs of one style each. Links and what a terminal does not show are left out. */
export function styledRuns(line: IBufferLine, cell: IBufferCell): readonly StyledRun[] {
  const runs: StyledRun[] = [];
  let style: Style = {};
  let key: StyleKey = { fg: -1, bg: -1, flags: -1 };
  let text = '';
  let cells = 0;
  const finish = (): void => {
    if (text !== '') runs.push({ text, ...(cells === text.length ? {} : { cells }), ...style });
    text = '';
    cells = 0;
  };
  for (let column = 0, end = endOf(line, cell); column < end; column += 1) {
    line.getCell(column, cell);
    const width = cell.getWidth();
    // The right half of a wide character.
    if (width === 0) continue;
    const fg = cell.getFgColorMode() | cell.getFgColor();
    const bg = cell.getBgColorMode() | cell.getBgColor();
    const flags = flagsOf(cell);
    if (fg !== key.fg || bg !== key.bg || flags !== key.flags) {
      finish();
      key = { fg, bg, flags };
      style = styleOf(cell);
    }
    text += charsOf(cell);
    cells += width;
  }
  finish();
  return runs;
}

/** The column after the last one that shows something. */
function endOf(line: IBufferLine, cell: IBufferCell): number {
  let end = line.length;
  for (; end > 0; end -= 1) {
    line.getCell(end - 1, cell);
    if (cell.getWidth() === 0 || !isBlank(cell)) break;
  }
  return end;
}

function isBlank(cell: IBufferCell): boolean {
  return charsOf(cell) === ' ' && cell.isBgDefault() && !cell.isInverse() && !cell.isUnderline();
}

function charsOf(cell: IBufferCell): string {
  const chars = cell.getChars();
  if (chars === '' || chars === ' ') return ' ';
  if (plain.test(chars)) return cell.isInvisible() ? ' ' : chars;
  const clean = cutChars(chars)
    .replace(unwanted, '')
    .replace(/\p{Cs}/gu, '\ufffd');
  // What is hidden at the desk is hidden from afar.
  return clean === '' || cell.isInvisible() ? ' '.repeat(cell.getWidth()) : clean;
}

function cutChars(chars: string): string {
  if (chars.length <= cellChars) return chars;
  const isPair = /[\ud800-\udbff]/.test(chars.charAt(cellChars - 1));
  return chars.slice(0, isPair ? cellChars - 1 : cellChars);
}

function flagsOf(cell: IBufferCell): number {
  return (
    (cell.isBold() ? 1 : 0) |
    (cell.isDim() ? 2 : 0) |
    (cell.isItalic() ? 4 : 0) |
    (cell.isUnderline() ? 8 : 0) |
    (cell.isInverse() ? 16 : 0)
  );
}

function styleOf(cell: IBufferCell): Style {
  const fg = cell.isFgDefault() ? {} : { fg: colourOf(cell.isFgRGB(), cell.getFgColor()) };
  const bg = cell.isBgDefault() ? {} : { bg: colourOf(cell.isBgRGB(), cell.getBgColor()) };
  return {
    ...fg,
    ...bg,
    ...(cell.isBold() ? { bold: true } : {}),
    ...(cell.isDim() ? { dim: true } : {}),
    ...(cell.isItalic() ? { italic: true } : {}),
    ...(cell.isUnderline() ? { underline: true } : {}),
    ...(cell.isInverse() ? { inverse: true } : {}),
  };
}

function colourOf(isRgb: boolean, value: number): number | string {
  return isRgb ? `#${value.toString(16).padStart(6, '0')}` : value;
}
