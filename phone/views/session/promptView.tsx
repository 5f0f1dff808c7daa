import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { UserEchoBlock } from '../../../core/protocol/block/textBlocks.ts';
import type { SessionProperties } from './sessionProperties.ts';

interface Properties extends Pick<SessionProperties, 'machine' | 'session'> {
  readonly echo: UserEchoBlock;
}

/** A prompt that the machine has, and what became of it. */
export function PromptView({ echo, machine, session }: Properties): JSX.Element {
  const [again, setAgain] = useState(false);
  const { summary } = session.conversation.value;
  const origin =
    echo.device_id === machine.record.deviceId
      ? undefined
      : echo.device_id === undefined
        ? 'From the desk'
        : 'From another phone';
  return (
    <article class="prompt" aria-label="Prompt">
      {origin !== undefined && <p class="prompt-origin">{origin}</p>}
      <p class="prompt-text">{echo.text}</p>
      {echo.state === 'queued' && (
        <p class="prompt-state">{summary?.owner === 'terminal' ? 'Kept for later' : 'Queued at the desk'}</p>
      )}
      {echo.state === 'not_delivered' && (
        <p class="prompt-state bad-text">
          {again ? 'Not delivered, sent again below' : 'Not delivered'}
          {!again && (
            <button
              type="button"
              class="button small"
              onClick={() => {
                setAgain(true);
                session.prompt(echo.text);
              }}
            >
              Retry
            </button>
          )}
        </p>
      )}
    </article>
  );
}
