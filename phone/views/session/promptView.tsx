import { useId, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { UserEchoBlock } from '../../../core/protocol/block/textBlocks.ts';
import { PromptEditor } from './promptEditor.tsx';
import { promptStateText } from './promptStateText.ts';
import type { SessionProperties } from './sessionProperties.ts';
import { UndeliveredPrompt } from './undeliveredPrompt.tsx';
import { usePlaceFocus } from './usePlaceFocus.ts';
import { isWaiting } from './transcriptOrder.ts';
import { WaitingActions } from './waitingActions.tsx';

interface Properties extends Pick<SessionProperties, 'machine' | 'session'> {
  readonly echo: UserEchoBlock;
}

/** A prompt that the machine has, and what became of it. */
export function PromptView({ echo, machine, session }: Properties): JSX.Element {
  const [editing, setEditing] = useState(false);
  const { place, keep } = usePlaceFocus();
  const words = useId();
  const { summary } = session.conversation.value;
  const origin =
    echo.device_id === machine.record.deviceId
      ? undefined
      : echo.device_id === undefined
        ? 'From the desk'
        : 'From another phone';
  const state = promptStateText(echo, summary?.owner === 'terminal' || summary?.owner === 'elsewhere');
  const about = { echo, session, words, onTap: keep };
  return (
    <article
      ref={place}
      class={isWaiting(echo) ? 'prompt pending' : 'prompt'}
      aria-label="Prompt"
      tabIndex={-1}
    >
      {origin !== undefined && <p class="prompt-origin">{origin}</p>}
      {editing ? (
        <PromptEditor
          echo={echo}
          session={session}
          onDone={() => {
            keep();
            setEditing(false);
          }}
        />
      ) : (
        <p class="prompt-text" id={words}>
          {echo.text}
        </p>
      )}
      {state !== undefined && !editing && <p class="prompt-state">{state}</p>}
      {isWaiting(echo) && echo.turn_id === undefined && !editing && (
        <WaitingActions {...about} onEdit={() => setEditing(true)} />
      )}
      {echo.state === 'not_delivered' && !editing && <UndeliveredPrompt {...about} />}
    </article>
  );
}
