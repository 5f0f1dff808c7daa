import type { JSX } from 'preact';

/** The number that the desk types: large, in two groups, and read digit by digit. */
export function PairingCode({ code }: { readonly code: string }): JSX.Element {
  return (
    <div class="pairing-code" role="status">
      <span class="digits" data-testid="pairing-code" aria-hidden="true">
        {code.slice(0, 3)} {code.slice(3)}
      </span>
      <span class="sr-only">{Array.from(code).join(' ')}</span>
    </div>
  );
}
