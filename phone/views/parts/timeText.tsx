import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { useShell } from '../../app/shell.ts';
import { exactTime, relativeTime } from './relativeTime.ts';

/** How long ago something was. */
export function Age({ atMs }: { readonly atMs: number }): JSX.Element {
  const { now } = useShell();
  return (
    <time dateTime={new Date(atMs).toISOString()} title={exactTime(atMs)}>
      {relativeTime(atMs, now.value)}
    </time>
  );
}

/** The same as a button: a tap gives the moment to the second. */
export function TimeButton({ atMs }: { readonly atMs: number }): JSX.Element {
  const [exact, setExact] = useState(false);
  return (
    <button type="button" class="time-button" aria-pressed={exact} onClick={() => setExact(!exact)}>
      {exact ? <time dateTime={new Date(atMs).toISOString()}>{exactTime(atMs)}</time> : <Age atMs={atMs} />}
    </button>
  );
}
