/** When a record was written, in Unix milliseconds; undefined when it does not say. */
export function recordTime({
  timestamp,
}: {
  readonly timestamp?: string | null | undefined;
}): number | undefined {
  const at = Date.parse(timestamp ?? '');
  return at >= 0 ? at : undefined;
}
