import type { ErrorBlock } from '../../../core/protocol/block/sessionBlocks.ts';

/** When it is tried again, as a time of day: unlike a count down, it stays true in a transcript. */
export function retryText({
  ts,
  recoverable,
  retry_in_ms,
  attempt,
  max_attempts,
}: Pick<ErrorBlock, 'ts' | 'recoverable' | 'retry_in_ms' | 'attempt' | 'max_attempts'>): string | undefined {
  if (retry_in_ms === undefined) return undefined;
  const at = new Date(ts * 1000 + retry_in_ms).toLocaleTimeString();
  const count =
    attempt === undefined || max_attempts === undefined
      ? ''
      : ` (${String(attempt)} of ${String(max_attempts)})`;
  return recoverable === true ? `Next try at ${at}${count}` : `What waits goes on at ${at}`;
}
