import { useLayoutEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { ErrorCode } from '../../../core/protocol/errorCode.ts';
import { answerFailureText } from './answerFailureText.ts';
import type { SessionProperties } from './sessionProperties.ts';

/** Takes back what the desk let the agent do without asking. From afar there is no way to the other side. */
export function AskAgain({ session }: Pick<SessionProperties, 'session'>): JSX.Element {
  const [failure, setFailure] = useState<ErrorCode | 'unknown' | undefined>(undefined);
  // Once it is done its button is gone: the focus stays in the sheet.
  useLayoutEffect(() => () => document.querySelector<HTMLElement>('.sheet[open] h2')?.focus(), []);
  return (
    <>
      <p class={failure === undefined ? 'quiet-text' : 'problem'} role="status">
        {failure === undefined
          ? 'You can take this back from here. It can only be given again at the desk.'
          : answerFailureText(failure)}
      </p>
      <button
        type="button"
        class="button primary wide"
        disabled={session.channel.value.phase !== 'open'}
        onClick={() => {
          void session.setMode('ask').then(setFailure);
        }}
      >
        Ask again from now on
      </button>
    </>
  );
}
