/**
 * A bounded queue that one reader iterates. Pushing to a full queue returns false: the source must stop until
 * `drained` is called.
 */
export class AsyncQueue<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  readonly #bound: number;
  readonly #drained: () => void;
  #wake: (() => void) | undefined;
  #closed = false;

  /** @param drained called when a queue that was full is half empty again */
  constructor(bound: number, drained: () => void = () => undefined) {
    this.#bound = bound;
    this.#drained = drained;
  }

  get size(): number {
    return this.#items.length;
  }

  /** @returns whether there is room for more; the item is kept either way */
  push(item: T): boolean {
    if (this.#closed) return true;
    this.#items.push(item);
    this.#wake?.();
    return this.#items.length < this.#bound;
  }

  /** Ends the iteration after what is queued. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for (;;) {
      const wasFull = this.#items.length >= this.#bound;
      const item = this.#items.shift();
      if (item !== undefined) {
        if (wasFull || this.#items.length === Math.floor(this.#bound / 2)) this.#drained();
        yield item;
        continue;
      }
      if (this.#closed) return;
      await new Promise<void>(resolve => (this.#wake = resolve));
      this.#wake = undefined;
    }
  }
}
