import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { UserEchoBlock } from '../../../core/protocol/block/textBlocks.ts';
import type { Refusal } from '../../state/phoneSession.ts';
import type { SessionProperties } from './sessionProperties.ts';

interface Properties extends Pick<SessionProperties, 'session'> {
  readonly echo: UserEchoBlock;
  readonly onEdit: () => void;
}

/** What can be done with a prompt that waits. Nothing is shown as done before the machine's record says so. */
export function WaitingActions({ echo, session, onEdit }: Properties): JSX.Element {
  const [busy, setBusy] = useState(false);
  const disabled = busy || !session.isCurrent.value;
  const ask = (asked: Promise<Refusal | undefined>): void => {
    setBusy(true);
    void asked.then(() => setBusy(false));
  };
  return (
    <span class="buttons">
      {echo.state === 'held' && (
        <button
          type="button"
          class="button small"
          disabled={disabled}
          onClick={() => ask(session.sendQueued(echo.client_msg_id))}
        >
          Send now
        </button>
      )}
      <button type="button" class="button small" disabled={disabled} onClick={onEdit}>
        Edit
      </button>
      <button
        type="button"
        class="button small"
        disabled={disabled}
        onClick={() => ask(session.cancelQueued(echo.client_msg_id))}
      >
        Cancel
      </button>
    </span>
  );
}
