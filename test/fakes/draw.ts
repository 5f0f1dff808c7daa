/** Numbers that look drawn, the same ones for the same seed. */
export class Draw {
  #state: number;

  /** @param seed a whole number, of which the lowest 32 bits count */
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** @returns from 0 to below 1 (mulberry32) */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @param from not empty */
  one<T>(from: readonly T[]): T {
    return this.weighted(from, () => 1);
  }

  /** @param from not empty */
  weighted<T>(from: readonly T[], weightOf: (each: T) => number): T {
    let left = this.next() * from.reduce((sum, each) => sum + weightOf(each), 0);
    const found = from.find(each => (left -= weightOf(each)) < 0) ?? from.at(-1);
    if (found === undefined) throw new Error('nothing to draw from');
    return found;
  }
}
