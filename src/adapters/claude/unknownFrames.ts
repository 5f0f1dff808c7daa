/** What was said and not understood: types and counts, never words. */
export interface UnknownFrames {
  readonly type: string;
  readonly count: number;
  /** UTF-16 units of all of them. */
  readonly chars: number;
}

/** As many kinds as are told apart. */
const maxTypes = 32;
const typeName = /^\s*\{"type":"([a-z_]{1,40})"/;

/** Counts lines of kinds that are not known here: versions differ, and agents print more than they promise. */
export class UnknownFrameCounts {
  readonly #counts = new Map<string, UnknownFrames>();
  readonly #tell: (first: UnknownFrames) => void;

  /** @param tell called when a kind is seen for the first time */
  constructor(tell: (first: UnknownFrames) => void = () => undefined) {
    this.#tell = tell;
  }

  /** Lines in all. */
  get total(): number {
    return this.all.reduce((sum, { count }) => sum + count, 0);
  }

  get all(): readonly UnknownFrames[] {
    return [...this.#counts.values()];
  }

  add(line: string): void {
    const named = typeName.exec(line)?.[1] ?? 'other';
    const type = this.#counts.has(named) || this.#counts.size < maxTypes ? named : 'other';
    const before = this.#counts.get(type);
    const { count = 0, chars = 0 } = before ?? {};
    const seen = { type, count: count + 1, chars: chars + line.length };
    this.#counts.set(type, seen);
    if (before === undefined) this.#tell(seen);
  }
}
