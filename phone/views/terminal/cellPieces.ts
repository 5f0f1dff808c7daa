import type { StyledRun } from '../../../core/protocol/screenPicture.ts';

/** A stretch of a run. With `cells`, it is given that many columns, whatever its characters are as wide as. */
export interface CellPiece {
  readonly text: string;
  readonly cells?: number;
}

/** Every font for code has these, all of one width; a letter with a mark upon it is another character. */
const plain = /(?:[ -~](?!\p{M}))+/gu;

/**
 * Parts a run so that what comes after a character of another width (CJK, emoji, box drawing of another font) stands in its
 * own column again.
 */
export function cellPieces({ text, cells = text.length }: StyledRun): readonly CellPiece[] {
  const pieces: CellPiece[] = [];
  let at = 0;
  let outside = 0;
  const addOther = (end: number): void => {
    if (end === at) return;
    pieces.push({ text: text.slice(at, end), cells: end - at });
    outside += 1;
  };
  for (const match of text.matchAll(plain)) {
    addOther(match.index);
    pieces.push({ text: match[0] });
    at = match.index + match[0].length;
  }
  addOther(text.length);
  if (cells === text.length) return pieces;
  // Which of several are the wide ones is not told.
  if (outside !== 1) return [{ text, cells }];
  return pieces.map(piece =>
    piece.cells === undefined ? piece : { text: piece.text, cells: piece.cells + cells - text.length },
  );
}
