const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago, in a few characters. A clock that differs from the machine's never gives a negative age. */
export function relativeTime(thenMs: number, nowMs: number): string {
  const age = nowMs - thenMs;
  if (age < minute) return 'now';
  if (age < hour) return `${String(Math.floor(age / minute))} min`;
  if (age < day) return `${String(Math.floor(age / hour))} h`;
  if (age < 7 * day) return `${String(Math.floor(age / day))} d`;
  return new Date(thenMs).toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** The moment itself, to the second. */
export function exactTime(thenMs: number): string {
  return new Date(thenMs).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** `relativeTime` as it stands after words: "for 3 min", "since 4 Mar 2026", or nothing within the first minute. */
export function ageText(sinceMs: number, nowMs: number): string {
  const age = nowMs - sinceMs;
  if (age < minute) return '';
  return age < 7 * day ? `for ${relativeTime(sinceMs, nowMs)}` : `since ${relativeTime(sinceMs, nowMs)}`;
}
