import type { JSX } from 'preact';
import type { HandoffState } from '../../../core/protocol/block/sessionBlocks.ts';
import { TimeButton } from '../parts/timeText.tsx';

function handoffText(owner: HandoffState['owner']): string {
  switch (owner) {
    case 'terminal':
      return 'Continued in the terminal';
    case 'elsewhere':
      return 'Goes on in another terminal';
    case 'bridge':
      return 'Back from the terminal';
  }
}

/** Where the conversation changed hands between phone and terminal. */
export function HandoffNote({ handoff }: { readonly handoff: HandoffState }): JSX.Element {
  return (
    <p class="turn-end">
      <span>{handoffText(handoff.owner)}</span>
      <span aria-hidden="true">·</span>
      <TimeButton atMs={handoff.ts * 1000} />
    </p>
  );
}
