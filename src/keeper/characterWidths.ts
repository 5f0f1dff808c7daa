import type { IUnicodeVersionProvider } from '@xterm/headless';

/** Drawn upon the character before them. */
const joined = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u;
const emoji = /\p{Emoji_Presentation}/u;
/** East Asian Width W and F (Unicode Annex 11) besides emoji, from and to. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];
const firstWide = 0x1100;

/**
 * How many columns a character takes. What @xterm/headless brings is of Unicode 6, where an emoji takes one; programs and the
 * editor's terminal give it two.
 */
export const characterWidths: IUnicodeVersionProvider = {
  version: 'terminull',
  wcwidth: widthOf,
  charProperties: (code, preceding) => {
    const width = widthOf(code);
    const before = (preceding >> 1) & 3;
    // The parser's own form: bit 0 joins the character before, whose width, in the next two, stays.
    if (width === 0 && before !== 0) return (before << 1) | 1;
    return width << 1;
  },
};

function widthOf(code: number): 0 | 1 | 2 {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 0;
  if (code < 0x300) return 1;
  const character = String.fromCodePoint(code);
  if (joined.test(character)) return 0;
  if (code < firstWide) return 1;
  return emoji.test(character) || wide.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}
