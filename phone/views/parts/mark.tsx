import type { JSX } from 'preact';

/** The mark: a prompt and a null. */
export function Mark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 32 24" width="32" height="24" aria-hidden="true" focusable="false">
      <path d="M3 5l7 7-7 7" />
      <circle class="null" cx="22" cy="12" r="6" />
      <path class="null" d="M16.5 18.5l11-13" />
    </svg>
  );
}
