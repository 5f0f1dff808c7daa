/** The part of a stream that joining writes needs. */
export interface Corkable {
  cork(): void;
  uncork(): void;
}

/** Joins what is written to a socket within one turn of the event loop into one system call. */
export class WriteBatch {
  #corked = new Set<Corkable>();

  /** Call before writing. */
  hold(stream: Corkable): void {
    if (this.#corked.has(stream)) return;
    if (this.#corked.size === 0) setImmediate(this.#flush);
    this.#corked.add(stream);
    stream.cork();
  }

  readonly #flush = (): void => {
    const corked = this.#corked;
    this.#corked = new Set();
    for (const stream of corked) stream.uncork();
  };
}
