import type { JSX } from 'preact';

/** Tells of phones that were turned away. */
export function Refused({ count }: { readonly count: number }): JSX.Element | null {
  if (count === 0) return null;
  const tries = count === 1 ? 'One try was' : `${String(count)} tries were`;
  return (
    <p class="warning" role="status">
      <i class="codicon codicon-warning" aria-hidden="true" />
      <span>{tries} refused: the link was wrong, used or expired.</span>
    </p>
  );
}
