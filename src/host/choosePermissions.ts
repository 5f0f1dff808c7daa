import { l10n, window } from 'vscode';
import type { Bridge } from '../bridge/bridge.ts';
import { commandId } from './ids.ts';
import { errorText } from './errorText.ts';
import { showErrorWithButton } from './showErrorWithButton.ts';

type Session = Bridge['sessions']['all'][number];

/** Lets the desk choose what a session's agent may do without asking. A phone can only take it back. */
export async function choosePermissions(session: Session): Promise<void> {
  const present = (mode: string): string => (session.approvals.mode === mode ? l10n.t('now') : '');
  const picked = await window.showQuickPick(
    [
      {
        label: l10n.t('Ask'),
        description: present('ask'),
        detail: l10n.t(
          'What is proven to only read in the workspace runs. All else asks, here or on a phone.',
        ),
        mode: 'ask',
      },
      {
        label: l10n.t('Full Access'),
        description: present('full_access'),
        detail: l10n.t('Nothing asks, except for a question. For a machine that nothing can be broken on.'),
        mode: 'full_access',
      },
    ],
    { title: l10n.t('What may {0} do without asking?', session.summary.agent_name) },
  );
  if (picked === undefined || (picked.mode === 'full_access' && !(await isMeant(session)))) return;
  const set = session.approvals.setMode(picked.mode, { kind: 'desktop' });
  if (!set.ok) await showErrorWithButton(errorText(set.code), l10n.t('Show Log'), commandId.showLog);
}

async function isMeant(session: Session): Promise<boolean> {
  if (session.approvals.mode === 'full_access') return true;
  const grant = l10n.t('Give Full Access');
  const detail = l10n.t(
    'In this session it runs any command and changes any file without asking, also after a restart of the editor. You or a paired phone can take it back at any time.',
  );
  const text = l10n.t('Give {0} full access?', session.summary.agent_name);
  return (await window.showWarningMessage(text, { modal: true, detail }, grant)) === grant;
}
