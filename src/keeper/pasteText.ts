/** Around what is pasted, for a program that has asked for it. */
const marks = { begin: '\u001b[200~', end: '\u001b[201~' } as const;

// All of C0 and C1 but tab and newline: with them a text could end its own paste, or do more than be text.
const controls = /(?![\t\n])\p{Cc}/gu;

/**
 * What is written to a program's terminal to paste a text.
 *
 * @param isMarked the program tells a paste from typing; if not, each new line of the text is an Enter
 */
export function pasteText(text: string, isMarked: boolean): string {
  const clean = text
    .replaceAll(marks.end, '')
    .replace(/\r\n?/g, '\n')
    .replace(controls, '')
    .replace(/\p{Cs}/gu, '\ufffd');
  if (clean === '') return '';
  return isMarked ? `${marks.begin}${clean}${marks.end}` : clean.replaceAll('\n', '\r');
}

const cursorKey = /\u001b\[([A-DFH])/g;

export function hasCursorKeys(keys: Buffer): boolean {
  return keys.toString('latin1').search(cursorKey) >= 0;
}

/** Arrows, Home and End as a program that has asked for application keys (DECCKM) gets them from a terminal. */
export function toApplicationKeys(keys: Buffer): Buffer {
  return Buffer.from(keys.toString('latin1').replaceAll(cursorKey, '\u001bO$1'), 'latin1');
}

/** Keys that would begin a paste are none: what is typed after them would be part of it. */
export function isKeys(bytes: Uint8Array): boolean {
  return !Buffer.from(bytes).includes(marks.begin);
}
