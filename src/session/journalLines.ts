import { readSync } from 'node:fs';

/** Of one line. Agents' lines are 4 MiB at most, and a block is made of one. */
export const maxLineBytes = 5 * 1_048_576;
const readBytes = 65_536;

/** A line that a newline ends. */
export interface JournalLine {
  /** Without its newline, and good until the next line is asked for; undefined when it is longer than any that is written. */
  readonly bytes: Buffer | undefined;
  /** Where it begins in the file. */
  readonly from: number;
  /** Where the next one begins. */
  readonly to: number;
}

/**
 * The whole lines of a file from an offset on. Holds one line at most; what is longer than any is passed over.
 *
 * @param end no byte from this offset on is read
 */
export function* linesOf(file: number, start: number, end = Infinity): Generator<JournalLine, void, void> {
  const chunk = Buffer.allocUnsafe(readBytes);
  let pieces: Buffer[] = [];
  let from = start;
  let at = start;
  for (;;) {
    const part = chunk.subarray(0, readSync(file, chunk, 0, Math.min(readBytes, end - at), at));
    if (part.length === 0) return;
    let begin = 0;
    for (let newline = part.indexOf(0x0a); newline >= 0; newline = part.indexOf(0x0a, begin)) {
      const last = part.subarray(begin, newline);
      const isTooLong = at + newline - from > maxLineBytes;
      const bytes = isTooLong ? undefined : pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
      begin = newline + 1;
      yield { bytes, from, to: at + begin };
      pieces = [];
      from = at + begin;
    }
    at += part.length;
    if (at - from > maxLineBytes) pieces = [];
    else if (begin < part.length) pieces.push(Buffer.from(part.subarray(begin)));
  }
}
