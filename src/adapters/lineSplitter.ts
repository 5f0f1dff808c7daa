/** A complete line and the stream offset after its newline. */
export interface Line {
  readonly text: string;
  readonly end: number;
}

/**
 * Cuts numbered bytes into lines at 0x0A alone: U+2028 and carriage returns are content. A line above the bound is
 * dropped up to its newline, so that a runaway agent costs bounded memory.
 */
export class LineSplitter {
  readonly #bound: number;
  #parts: Buffer[] = [];
  #size = 0;
  #dropping = false;
  #dropped = 0;

  constructor(boundBytes: number) {
    this.#bound = boundBytes;
  }

  /** Lines dropped so far for their length. */
  get dropped(): number {
    return this.#dropped;
  }

  /** @param end offset after the last byte of `bytes` */
  push(bytes: Buffer, end: number): Line[] {
    const lines: Line[] = [];
    const base = end - bytes.length;
    let start = 0;
    for (;;) {
      const newline = bytes.indexOf(0x0a, start);
      this.#keep(bytes.subarray(start, newline < 0 ? bytes.length : newline));
      if (newline < 0) return lines;
      if (this.#dropping) this.#dropped += 1;
      else lines.push({ text: Buffer.concat(this.#parts).toString('utf8'), end: base + newline + 1 });
      this.#parts = [];
      this.#size = 0;
      this.#dropping = false;
      start = newline + 1;
    }
  }

  #keep(part: Buffer): void {
    if (this.#dropping || part.length === 0) return;
    this.#size += part.length;
    if (this.#size > this.#bound) {
      this.#dropping = true;
      this.#parts = [];
    } else this.#parts.push(part);
  }
}
