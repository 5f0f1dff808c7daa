/** One line of the JSON file. `null` stands for what does not exist: no limit, or a value that could not be measured. */
export interface BenchRow {
  readonly name: string;
  readonly value: number | null;
  readonly unit: string;
  readonly limit: number | null;
  /** value / limit: above 1 the limit is exceeded. */
  readonly ratio: number | null;
}

/** What a measure found. */
export interface Measurement {
  /** Dotted, and stable: whoever compares two runs goes by it. */
  readonly name: string;
  /** Undefined when it could not be measured; `note` says why then. */
  readonly value: number | undefined;
  readonly unit: 'ms' | 'µs' | 'KiB' | 'MiB' | 'times';
  readonly limit?: number;
  /** A few words for the person who reads the table. */
  readonly note: string;
}

/** Enough for every unit here, and short enough to read. */
const round = (value: number): number => Number(value.toFixed(3));

export function toBenchRow({ name, value, unit, limit }: Measurement): BenchRow {
  return {
    name,
    value: value === undefined ? null : round(value),
    unit,
    limit: limit ?? null,
    ratio: value === undefined || limit === undefined ? null : round(value / limit),
  };
}

/** A value at its limit keeps it. */
export function isOver({ ratio }: Pick<BenchRow, 'ratio'>): boolean {
  return ratio !== null && ratio > 1;
}
