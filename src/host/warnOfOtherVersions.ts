import { l10n, window } from 'vscode';
import type { Disposable } from '../../core/base/disposable.ts';
import type { SessionId } from '../../core/protocol/ids.ts';
import type { Bridge } from '../bridge/bridge.ts';

type Session = Bridge['sessions']['all'][number];

/** Says once of each session whose agent runs under another version of this extension what can be done, and does it. */
export function warnOfOtherVersions({ sessions }: Bridge): Disposable {
  const told = new Set<SessionId>();
  const look = (): void => {
    for (const session of sessions.all) {
      if (!session.isOfOtherVersion || told.has(session.id)) continue;
      told.add(session.id);
      void offerEnd(session);
    }
  };
  look();
  return sessions.onDidChange(look);
}

async function offerEnd(session: Session): Promise<void> {
  const end = l10n.t('End Session');
  const text = l10n.t(
    'The agent of “{0}” was started by another version of Terminull and goes on, but cannot be shown. Install that version again to go on with it, or end it.',
    session.summary.title,
  );
  if ((await window.showWarningMessage(text, end)) === end) session.end();
}
