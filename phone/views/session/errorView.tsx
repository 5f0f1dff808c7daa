import type { JSX } from 'preact';
import type { ErrorBlock } from '../../../core/protocol/block/sessionBlocks.ts';
import { Icon } from '../parts/icon.tsx';
import { errorTitle } from './errorTitle.ts';

/** Something went wrong at the machine. */
export function ErrorView({ error }: { readonly error: ErrorBlock }): JSX.Element {
  return (
    <div class="error" role="group" aria-label="Error">
      <Icon name="warning" />
      <div>
        <p>
          <strong>{errorTitle(error.code)}</strong>
        </p>
        <p class="quiet-text">{error.message}</p>
      </div>
    </div>
  );
}
