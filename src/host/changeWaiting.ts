import { l10n, window } from 'vscode';
import { shorten } from '../../core/base/cutText.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { commandId } from './ids.ts';
import { errorText } from './errorText.ts';
import { showErrorWithButton } from './showErrorWithButton.ts';

type Session = Bridge['sessions']['all'][number];
type Waiting = Session['waiting'][number];

const labelChars = 80;

/** Lets the desk edit, take back or send a prompt that waits, whoever sent it. */
export async function changeWaiting(session: Session): Promise<void> {
  const picked = await window.showQuickPick(
    session.waiting.map(prompt => ({
      label: shorten(prompt.text, labelChars),
      description: prompt.state === 'held' ? l10n.t('held back') : l10n.t('queued'),
      prompt,
    })),
    { title: l10n.t('What waits for {0}', session.summary.agent_name) },
  );
  if (picked === undefined) return;
  const { prompt } = picked;
  const deed = await window.showQuickPick(deedsOf(prompt), { title: shorten(prompt.text, labelChars) });
  const done = await deed?.run(session);
  if (done?.ok === false)
    await showErrorWithButton(errorText(done.code), l10n.t('Show Log'), commandId.showLog);
}

interface Deed {
  readonly label: string;
  readonly detail?: string;
  readonly run: (session: Session) => Promise<ReturnType<Session['cancelQueued']> | undefined>;
}

function deedsOf(prompt: Waiting): readonly Deed[] {
  const { client_msg_id: id, text } = prompt;
  // The editor's input box has one line, and would lose the others.
  const hasOneLine = !/[\r\n]/.test(text);
  const edit: Deed = {
    label: l10n.t('Edit'),
    run: async session => {
      const value = await window.showInputBox({ title: l10n.t('Edit what waits'), value: text });
      return value === undefined || value.trim() === '' ? undefined : session.editQueued(id, value);
    },
  };
  return [
    ...(hasOneLine ? [edit] : []),
    { label: l10n.t('Take Back'), run: session => Promise.resolve(session.cancelQueued(id)) },
    ...(prompt.state === 'held'
      ? [{ label: l10n.t('Send Now'), run: (session: Session) => Promise.resolve(session.sendQueued(id)) }]
      : []),
  ];
}
