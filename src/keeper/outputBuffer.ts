/**
 * Numbered agent output that no client has acknowledged yet. It never drops: above the bound it asks its source to
 * pause, and below half of it to resume.
 */
export class OutputBuffer {
  readonly #chunks: { offset: number; bytes: Buffer }[] = [];
  readonly #bound: number;
  #heldFrom = 0;
  #end = 0;

  /** @param boundBytes above this the source should stop reading */
  constructor(boundBytes: number) {
    this.#bound = boundBytes;
  }

  get heldFrom(): number {
    return this.#heldFrom;
  }

  get end(): number {
    return this.#end;
  }

  get isFull(): boolean {
    return this.#end - this.#heldFrom >= this.#bound;
  }

  get hasRoom(): boolean {
    return this.#end - this.#heldFrom <= this.#bound / 2;
  }

  /** @returns the offset of the first byte */
  append(bytes: Buffer): number {
    const offset = this.#end;
    this.#chunks.push({ offset, bytes });
    this.#end += bytes.length;
    return offset;
  }

  /** Releases everything before `offset`. Acknowledging what was never produced, or twice, changes nothing. */
  acknowledge(offset: number): void {
    if (offset > this.#end || offset <= this.#heldFrom) return;
    this.#heldFrom = offset;
    for (;;) {
      const first = this.#chunks[0];
      if (first === undefined || first.offset + first.bytes.length > offset) break;
      this.#chunks.shift();
    }
  }

  /** @returns what is held from `offset` on; undefined when some of it has been released */
  from(offset: number): { offset: number; bytes: Buffer }[] | undefined {
    if (offset < this.#heldFrom || offset > this.#end) return undefined;
    return this.#chunks
      .filter(chunk => chunk.offset + chunk.bytes.length > offset)
      .map(chunk =>
        chunk.offset >= offset ? chunk : { offset, bytes: chunk.bytes.subarray(offset - chunk.offset) },
      );
  }
}
