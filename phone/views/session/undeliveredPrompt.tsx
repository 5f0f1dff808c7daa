import type { JSX } from 'preact';
import type { UserEchoBlock } from '../../../core/protocol/block/textBlocks.ts';
import { retryIdOf } from '../../state/retryIdOf.ts';
import type { SessionProperties } from './sessionProperties.ts';

interface Properties extends Pick<SessionProperties, 'session'> {
  readonly echo: UserEchoBlock;
}

/** What can be done with a prompt that was not delivered. The machine's record keeps both, so that a reload changes nothing. */
export function UndeliveredPrompt({ echo, session }: Properties): JSX.Element {
  const isSentAgain = session.known.value.has(retryIdOf(echo.client_msg_id));
  const isEnded = session.conversation.value.summary?.activity === 'ended';
  return (
    <p class="prompt-state bad-text">
      {isSentAgain ? 'Not delivered, sent again below' : 'Not delivered'}
      <span class="buttons">
        {!isSentAgain && !isEnded && (
          <button type="button" class="button small" onClick={() => session.sendAgain(echo)}>
            Retry
          </button>
        )}
        <button
          type="button"
          class="button small"
          disabled={!session.isCurrent.value}
          onClick={() => {
            void session.cancelQueued(echo.client_msg_id);
          }}
        >
          Discard
        </button>
      </span>
    </p>
  );
}
