import type { JSX } from 'preact';

/** Stands for as long as the page was not loaded securely: nobody can vouch for what it shows. */
export function TrialLine(): JSX.Element | null {
  if (isSecureContext) return null;
  return (
    <p class="trial-line measure" role="note">
      Trial over plain HTTP: anyone on this network could have altered this app.
    </p>
  );
}
