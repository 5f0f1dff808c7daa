import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { limits } from '../../../core/protocol/limits.ts';
import type { UserEchoBlock } from '../../../core/protocol/block/textBlocks.ts';
import { promptBytes } from './promptBytes.ts';
import type { SessionProperties } from './sessionProperties.ts';
import { isWaiting } from './transcriptOrder.ts';
import { unchangedText } from './unchangedText.ts';

interface Properties extends Pick<SessionProperties, 'session'> {
  readonly echo: UserEchoBlock;
  readonly onDone: () => void;
}

/** Changes the words of a prompt that waits. When it goes meanwhile, what was typed is not lost: it can be sent as a new one. */
export function PromptEditor({ echo, session, onDone }: Properties): JSX.Element {
  const [text, setText] = useState(echo.text);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [saving, setSaving] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const isGone = !isWaiting(echo) || echo.turn_id !== undefined;
  const tooLong = promptBytes(text) > limits.promptBytes;
  const canSave = text.trim() !== '' && !tooLong && !saving;
  const save = async (): Promise<void> => {
    if (isGone) {
      session.prompt(text.trim());
      onDone();
      return;
    }
    setSaving(true);
    const refused = await session.editQueued(echo.client_msg_id, text.trim());
    setSaving(false);
    if (refused === undefined) onDone();
    else setProblem(unchangedText(refused));
  };
  return (
    <form
      class="prompt-editor"
      onSubmit={event => {
        event.preventDefault();
        if (canSave) void save();
      }}
    >
      <textarea
        ref={field}
        rows={3}
        aria-label="Prompt that waits"
        value={text}
        aria-invalid={tooLong}
        onInput={event => setText(event.currentTarget.value)}
      />
      {tooLong && <p class="problem">Longer than 64 KiB. Put the text in a file and name it here.</p>}
      {isGone && (
        <p class="problem" role="status">
          {echo.state === 'not_delivered'
            ? 'It was not delivered meanwhile.'
            : 'The agent has it already, with the words from before.'}
        </p>
      )}
      {problem !== undefined && (
        <p class="problem" role="status">
          {problem}
        </p>
      )}
      <div class="buttons">
        <button type="submit" class="button small primary" disabled={!canSave}>
          {isGone ? 'Send as a new prompt' : 'Save'}
        </button>
        <button type="button" class="button small" onClick={onDone}>
          Leave as it was
        </button>
      </div>
    </form>
  );
}
