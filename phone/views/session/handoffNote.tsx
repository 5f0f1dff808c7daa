import type { JSX } from 'preact';
import type { HandoffState } from '../../../core/protocol/block/sessionBlocks.ts';
import { TimeButton } from '../parts/timeText.tsx';

/** Where the conversation changed hands between phone and terminal. */
export function HandoffNote({ handoff }: { readonly handoff: HandoffState }): JSX.Element {
  return (
    <p class="turn-end">
      <span>{handoff.owner === 'terminal' ? 'Continued in the terminal' : 'Back from the terminal'}</span>
      <span aria-hidden="true">·</span>
      <TimeButton atMs={handoff.ts * 1000} />
    </p>
  );
}
