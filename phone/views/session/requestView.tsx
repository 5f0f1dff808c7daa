import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import type { PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';
import { Icon } from '../parts/icon.tsx';
import { VisibleText } from '../parts/visibleTextView.tsx';
import { resolutionText } from './resolutionText.ts';
import type { SessionProperties } from './sessionProperties.ts';

interface Properties extends Pick<SessionProperties, 'session'> {
  readonly request: PermissionRequest;
}

/** The place of a request in the transcript: who answered what. It is answered below, where it is seen in full. */
export function RequestView({ request, session }: Properties): JSX.Element | null {
  const resolution = useComputed(() => session.conversation.value.resolutions.get(request.id)).value;
  // The card above has the title already, and says that it asks.
  const title = request.tool_call_id === undefined ? <VisibleText text={request.title} /> : null;
  if (resolution === undefined)
    return title === null ? null : (
      <p class="answer waiting">
        <Icon name="warning" />
        <span>Waits for an answer {title}</span>
      </p>
    );
  return (
    <p class={resolution.granted ? 'answer allowed' : 'answer denied'}>
      <Icon name={resolution.granted ? 'check' : 'cross'} />
      <span>
        {resolutionText(resolution, request.options)}
        {title !== null && <> {title}</>}
      </span>
    </p>
  );
}
