import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { UserEchoBlock } from '../../../core/protocol/block/textBlocks.ts';
import type { Refusal } from '../../state/phoneSession.ts';
import type { SessionProperties } from './sessionProperties.ts';
import { unchangedText } from './unchangedText.ts';

interface Properties extends Pick<SessionProperties, 'session'> {
  readonly echo: UserEchoBlock;
  /** Id of the element with the prompt's words: several prompts have the same buttons. */
  readonly words: string;
  /** Called before a button is turned off. */
  readonly onTap: () => void;
  readonly onEdit: () => void;
}

/** What can be done with a prompt that waits. Nothing is shown as done before the machine's record says so. */
export function WaitingActions({ echo, session, words, onTap, onEdit }: Properties): JSX.Element {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Refusal | undefined>(undefined);
  const disabled = busy || !session.isCurrent.value;
  const problem = unchangedText(refused);
  const ask = (asked: Promise<Refusal | undefined>): void => {
    onTap();
    setBusy(true);
    void asked.then(refusal => {
      setBusy(false);
      setRefused(refusal);
    });
  };
  const button = (name: string, onClick: () => void, style = ''): JSX.Element => (
    <button
      type="button"
      class={`button small ${style}`}
      aria-describedby={words}
      disabled={disabled}
      onClick={onClick}
    >
      {name}
    </button>
  );
  return (
    <>
      <div class="buttons">
        {echo.state === 'held' &&
          button('Send now', () => ask(session.sendQueued(echo.client_msg_id)), 'primary')}
        {button('Edit', onEdit)}
        {button('Cancel', () => ask(session.cancelQueued(echo.client_msg_id)))}
      </div>
      {problem !== undefined && (
        <p class="problem" role="status">
          {problem}
        </p>
      )}
    </>
  );
}
