import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { ErrorCode } from '../../../core/protocol/errorCode.ts';
import { answerFailureText } from './answerFailureText.ts';
import type { SessionProperties } from './sessionProperties.ts';

/** Takes back what the desk let the agent do without asking. From afar there is no way to the other side. */
export function AskAgain({ session }: Pick<SessionProperties, 'session'>): JSX.Element {
  const [failure, setFailure] = useState<ErrorCode | 'unknown' | undefined>(undefined);
  return (
    <>
      <p class={failure === undefined ? 'quiet-text' : 'problem'} role="status">
        {failure === undefined
          ? 'Only at the desk can the agent be let act without asking again.'
          : answerFailureText(failure)}
      </p>
      <button
        type="button"
        class="button wide"
        disabled={session.channel.value.phase !== 'open'}
        onClick={() => {
          void session.setMode('ask').then(setFailure);
        }}
      >
        Ask before anything runs
      </button>
    </>
  );
}
