import { useLayoutEffect, useRef } from 'preact/hooks';
import type { JSX } from 'preact';
import { limits } from '../../../core/protocol/limits.ts';
import { useShell } from '../../app/shell.ts';
import { outboxBound } from '../../../core/channel/outbox.ts';
import { Icon } from '../parts/icon.tsx';
import { promptBytes } from './promptBytes.ts';
import { sendsPrompt } from './sendsPrompt.ts';
import type { SessionProperties } from './sessionProperties.ts';

type Properties = Pick<SessionProperties, 'instance' | 'session' | 'listed'>;

/** Where prompts are typed; or, after the end, the way to a new session. */
export function Composer({ instance, session, listed }: Properties): JSX.Element | null {
  const { navigation } = useShell();
  const channel = session.channel.value;
  const summary = session.conversation.value.summary ?? listed;
  if (channel.phase === 'refused') return null;
  if (summary?.activity === 'ended')
    return (
      <div class="composer measure ended">
        <p>This session has ended.</p>
        <button
          type="button"
          class="button primary"
          onClick={() => navigation.openSheet({ kind: 'new', instance })}
        >
          <Icon name="plus" />
          New session
        </button>
      </div>
    );
  const isBusy = summary !== undefined && summary.activity !== 'idle';
  const isAway = summary?.owner === 'terminal' || summary?.owner === 'elsewhere';
  const placeholder =
    isBusy || isAway ? 'Message for later' : `Message ${summary?.agent_name ?? 'the agent'}`;
  return <Field session={session} placeholder={placeholder} />;
}

function Field({
  session,
  placeholder,
}: Pick<Properties, 'session'> & { readonly placeholder: string }): JSX.Element {
  const { drafts } = useShell();
  const draft = drafts.of(session.id);
  const field = useRef<HTMLTextAreaElement>(null);
  const text = draft.value;
  useGrowth(field, text);
  const tooLong = promptBytes(text) > limits.promptBytes;
  const full = session.outbox.value.length >= outboxBound;
  const canSend = text.trim() !== '' && !tooLong && !full;
  const send = (): void => {
    if (!canSend) return;
    session.prompt(text.trim());
    draft.value = '';
  };
  return (
    <form
      class="composer measure"
      onSubmit={event => {
        event.preventDefault();
        send();
        field.current?.focus();
      }}
    >
      {tooLong && <p class="problem">Longer than 64 KiB. Put the text in a file and name it here.</p>}
      {full && <p class="problem">Too many prompts wait already.</p>}
      <div class="composer-row">
        <textarea
          ref={field}
          rows={1}
          aria-label="Message"
          placeholder={placeholder}
          value={text}
          aria-invalid={tooLong}
          onInput={event => {
            draft.value = event.currentTarget.value;
          }}
          onKeyDown={event => {
            if (!sendsPrompt(event, matchMedia('(any-pointer: fine)').matches)) return;
            event.preventDefault();
            send();
          }}
        />
        <button type="submit" class="send" aria-label="Send" disabled={!canSend}>
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}

/** The field grows with its text; the style sheet says how far. */
function useGrowth(field: { readonly current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    if (field.current === null) return;
    const { style } = field.current;
    style.height = 'auto';
    style.height = `${String(field.current.scrollHeight + 2)}px`;
  }, [field, text]);
}
