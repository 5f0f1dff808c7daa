/**
 * The value below or at which a share of the samples lies (nearest rank), so it is always one that was measured.
 *
 * @param share from 0 to 1: 0.5 is the median
 * @returns undefined when there are no samples
 */
export function percentile(samples: readonly number[], share: number): number | undefined {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}
