import { useMemo, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { PhoneSession } from '../../state/phoneSession.ts';
import { TerminalSteer } from '../../state/terminalSteer.ts';
import type { TerminalWatch } from '../../state/terminalWatch.ts';
import { promptBytes } from '../session/promptBytes.ts';
import { limits } from '../../../core/protocol/limits.ts';
import { Icon } from '../parts/icon.tsx';
import { steerFailureText } from './steerFailureText.ts';
import { TerminalKeys } from './terminalKeys.tsx';

interface Properties {
  readonly session: PhoneSession;
  readonly watch: TerminalWatch;
  /** What is shown is the present: nobody types into what they do not see. */
  readonly isLive: boolean;
}

/** Where an owner types into the terminal, once they say that they want to. */
export function TerminalDock({ session, watch, isLive }: Properties): JSX.Element {
  const [isTyping, setTyping] = useState(false);
  if (isTyping)
    return <Steering session={session} watch={watch} isLive={isLive} onDone={() => setTyping(false)} />;
  return (
    <div class="terminal-dock">
      <div class="measure terminal-dock-row">
        <p class="quiet-text">You read along.</p>
        <button type="button" class="button small" disabled={!isLive} onClick={() => setTyping(true)}>
          <Icon name="edit" />
          Type here
        </button>
      </div>
    </div>
  );
}

function Steering({
  session,
  watch,
  isLive,
  onDone,
}: Properties & { readonly onDone: () => void }): JSX.Element {
  const steer = useMemo(
    () => new TerminalSteer(session.screenPorts.request, () => watch.screen.peek()?.id),
    [session, watch],
  );
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const state = steer.state.value;
  const tooLong = promptBytes(text) > limits.promptBytes;
  const canSend = isLive && text !== '' && !tooLong && state.phase !== 'sending';
  const send = async (force = false): Promise<void> => {
    const typed = await steer.type(text, force);
    if (typed) setText('');
    field.current?.focus();
  };
  return (
    <form
      class="terminal-dock"
      onSubmit={event => {
        event.preventDefault();
        if (canSend) void send();
      }}
    >
      <div class="measure terminal-steering">
        <div class="terminal-dock-row">
          <p class={state.phase === 'failed' || tooLong ? 'problem' : 'quiet-text'} role="status">
            {stateText(isLive, tooLong, state)}
          </p>
          <button type="button" class="button small" onClick={onDone}>
            Done
          </button>
        </div>
        {state.phase === 'desk_typing' && (
          <div class="buttons">
            <button type="button" class="button small" disabled={!canSend} onClick={() => void send(true)}>
              Add mine and send both
            </button>
            <button type="button" class="button small" onClick={() => steer.rest()}>
              Wait
            </button>
          </div>
        )}
        <TerminalKeys isOff={!isLive} onPress={key => void steer.press(key)} />
        <div class="composer-row">
          <textarea
            ref={field}
            rows={1}
            aria-label="Text for the terminal"
            placeholder="Text, then Enter"
            autocapitalize="none"
            autocomplete="off"
            spellcheck={false}
            value={text}
            aria-invalid={tooLong}
            onInput={event => setText(event.currentTarget.value)}
          />
          <button type="submit" class="send" aria-label="Type it and press Enter" disabled={!canSend}>
            <Icon name="send" />
          </button>
        </div>
      </div>
    </form>
  );
}

function stateText(isLive: boolean, tooLong: boolean, state: TerminalSteer['state']['value']): string {
  if (!isLive) return 'Not live: nothing can be typed.';
  if (tooLong) return 'Longer than 64 KiB.';
  switch (state.phase) {
    case 'rest':
      return 'What you type goes to the desk.';
    case 'sending':
      return 'Typing…';
    case 'desk_typing':
      return 'Somebody at the desk has begun to type.';
    case 'failed':
      return `${steerFailureText(state.code)}.`;
  }
}
