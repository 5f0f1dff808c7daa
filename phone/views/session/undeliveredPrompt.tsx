import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { UserEchoBlock } from '../../../core/protocol/block/textBlocks.ts';
import type { Refusal } from '../../state/phoneSession.ts';
import { retryIdOf } from '../../state/retryIdOf.ts';
import type { SessionProperties } from './sessionProperties.ts';
import { unchangedText } from './unchangedText.ts';

interface Properties extends Pick<SessionProperties, 'session'> {
  readonly echo: UserEchoBlock;
  /** Id of the element with the prompt's words. */
  readonly words: string;
  /** Called before a button is taken away. */
  readonly onTap: () => void;
}

/** What can be done with a prompt that was not delivered. The machine's record keeps both, so that a reload changes nothing. */
export function UndeliveredPrompt({ echo, session, words, onTap }: Properties): JSX.Element {
  const [refused, setRefused] = useState<Refusal | undefined>(undefined);
  const isSentAgain = session.known.value.has(retryIdOf(echo.client_msg_id));
  const isEnded = session.conversation.value.summary?.activity === 'ended';
  const problem = unchangedText(refused);
  return (
    <>
      <p class="prompt-state bad-text">{isSentAgain ? 'Not delivered, sent again below' : 'Not delivered'}</p>
      <div class="buttons">
        {!isSentAgain && !isEnded && (
          <button
            type="button"
            class="button small primary"
            aria-describedby={words}
            onClick={() => {
              onTap();
              session.sendAgain(echo);
            }}
          >
            Retry
          </button>
        )}
        <button
          type="button"
          class="button small"
          aria-describedby={words}
          disabled={!session.isCurrent.value}
          onClick={() => {
            onTap();
            void session.cancelQueued(echo.client_msg_id).then(setRefused);
          }}
        >
          Discard
        </button>
      </div>
      {problem !== undefined && (
        <p class="problem" role="status">
          {problem}
        </p>
      )}
    </>
  );
}
