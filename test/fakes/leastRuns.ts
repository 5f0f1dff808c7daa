/** Runs of a law whose cases are cheap or rare: so many at least, and as many as every law gets when a longer test asks for more. */
export function leastRuns(least: number): { readonly numRuns: number } {
  return { numRuns: Math.max(least, Number(process.env.TERMINULL_RUNS ?? '0')) };
}
