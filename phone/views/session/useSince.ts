import { useRef } from 'preact/hooks';
import { useShell } from '../../app/shell.ts';
import { ageText } from '../parts/relativeTime.ts';

/** How long a state has been seen here, in words; empty within its first minute. */
export function useSince(state: string): string {
  const { now } = useShell();
  const seen = useRef({ state, since: now.value });
  if (seen.current.state !== state) seen.current = { state, since: now.peek() };
  return ageText(seen.current.since, now.value);
}
