/** Before that it is no news: a request waits for a day. */
const noticeMs = 60 * 60_000;

/**
 * When a request that nobody answers is denied, as a time of day; empty until the last hour.
 *
 * @param expiresAt Unix seconds
 */
export function expiryText(expiresAt: number | undefined, nowMs: number): string {
  if (expiresAt === undefined || expiresAt * 1000 - nowMs > noticeMs) return '';
  return `Denied by itself at ${new Date(expiresAt * 1000).toLocaleTimeString(undefined, { timeStyle: 'short' })}.`;
}
