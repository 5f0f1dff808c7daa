export interface SeededRandom {
  next(): number;
  shuffle<T>(items: readonly T[]): T[];
}
export function seededRandom(seed: number): SeededRandom;
