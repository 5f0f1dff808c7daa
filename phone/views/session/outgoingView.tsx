import type { JSX } from 'preact';
import type { OutgoingPrompt } from '../../../core/channel/outbox.ts';
import { errorCodeText } from './errorCodeText.ts';
import type { SessionProperties } from './sessionProperties.ts';

interface Properties extends Pick<SessionProperties, 'session'> {
  readonly prompt: OutgoingPrompt;
}

/** A prompt that the machine has not confirmed. */
export function OutgoingView({ prompt, session }: Properties): JSX.Element {
  const { phase } = session.channel.value;
  const sending = phase === 'open' || phase === 'opening' ? 'Sending…' : 'Waits for the machine';
  return (
    <article class="prompt pending" aria-label="Prompt">
      <p class="prompt-text">{prompt.text}</p>
      {prompt.state === 'sending' && phase !== 'refused' ? (
        <p class="prompt-state">{sending}</p>
      ) : (
        <>
          <p class="prompt-state bad-text">
            {prompt.code === undefined ? 'Not delivered' : `Not delivered: ${errorCodeText(prompt.code)}`}
          </p>
          <div class="buttons">
            <button type="button" class="button small primary" onClick={() => session.retry(prompt)}>
              Retry
            </button>
            <button type="button" class="button small" onClick={() => session.discard(prompt)}>
              Discard
            </button>
          </div>
        </>
      )}
    </article>
  );
}
