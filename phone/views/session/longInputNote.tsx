import { useEffect } from 'preact/hooks';
import type { JSX } from 'preact';
import type { PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';
import { longInputText } from './longInputText.ts';
import type { SessionProperties } from './sessionProperties.ts';

interface Properties extends Pick<SessionProperties, 'session'> {
  readonly request: PermissionRequest;
}

/** Fetches what a request left out, and says how far that is: before all of it is shown, nothing can be allowed. */
export function LongInputNote({ request, session }: Properties): JSX.Element | null {
  const state = session.longInputs.inputs.value.get(request.id);
  const isCurrent = session.isCurrent.value;
  const failed = state?.phase === 'failed';
  useEffect(() => {
    if (isCurrent) void session.longInputs.read(request);
  }, [isCurrent, request, session]);
  if (request.content_id === undefined || state?.phase === 'read') return null;
  return (
    <div role="status">
      <p class={failed ? 'problem' : 'quiet-text'}>{longInputText(state)}</p>
      {failed && (
        <button
          type="button"
          class="button"
          disabled={!isCurrent}
          onClick={() => {
            void session.longInputs.read(request);
          }}
        >
          Fetch it again
        </button>
      )}
    </div>
  );
}
