import type { JSX } from 'preact';
import type { UnrecognisedBlock } from '../../../core/protocol/block/receivedBlock.ts';

/** Something that a newer machine tells, and this app does not know: better said than left out. */
export function UnrecognisedView({ entry }: { readonly entry: UnrecognisedBlock }): JSX.Element {
  return (
    <p class="turn-end">
      <span>
        This version of the app cannot show “{entry.name.replaceAll('_', ' ')}”. Reload it to update.
      </span>
    </p>
  );
}
