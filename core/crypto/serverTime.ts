/**
 * The milliseconds that the AAD carries for a parsed `server_ts`: times 1000 in double, halves up. Source: rule K12.
 *
 * @param serverTs float seconds from the frame
 * @returns an integer from 0 to 2^53 - 1, or nothing when `server_ts` has none: the frame is invalid
 */
export function serverTsToMs(serverTs: number): number | undefined {
  const ms = Math.round(serverTs * 1000);
  return Number.isSafeInteger(ms) && ms >= 0 ? Math.abs(ms) : undefined;
}

/** The `server_ts` that a sender writes for `ms`. `serverTsToMs` gives `ms` back for every `ms` below 2^51. */
export function msToServerTs(ms: number): number {
  return ms / 1000;
}
