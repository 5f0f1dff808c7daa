import type { JSX } from 'preact';
import type { ErrorBlock } from '../../../core/protocol/block/sessionBlocks.ts';
import { Icon } from '../parts/icon.tsx';
import { errorTitle } from './errorTitle.ts';
import { retryText } from './retryText.ts';

/** Something went wrong at the machine. */
export function ErrorView({ error }: { readonly error: ErrorBlock }): JSX.Element {
  const retry = retryText(error);
  return (
    <div class="error" role="group" aria-label="Error">
      <Icon name="warning" />
      <div>
        <p>
          <strong>{errorTitle(error.code)}</strong>
        </p>
        <p class="quiet-text">{error.message}</p>
        {retry !== undefined && <p class="quiet-text">{retry}</p>}
      </div>
    </div>
  );
}
