/** Ids of records, newest kept. Compaction and older versions write earlier records again, shortly after. */
export class SeenRecords {
  readonly #bound: number;
  readonly #ids = new Set<string>();

  constructor(bound = 20_000) {
    this.#bound = bound;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** @returns whether this id is new */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > this.#bound && oldest !== undefined) this.#ids.delete(oldest);
    return true;
  }
}
