import { l10n, window } from 'vscode';
import type { Bridge } from '../bridge/bridge.ts';
import { describeSession } from './describeSession.ts';

type Session = Bridge['sessions']['all'][number];

/**
 * The session that a command is for: asked only when more than one fits.
 *
 * @returns undefined when none fits, or none was chosen
 */
export async function pickSession(
  bridge: Bridge,
  title: string,
  fits: (session: Session) => boolean,
): Promise<Session | undefined> {
  const sessions = bridge.sessions.all.filter(fits);
  const [only, ...more] = sessions;
  if (only === undefined) {
    void window.showInformationMessage(l10n.t('There is no session that this could be done with.'));
    return undefined;
  }
  if (more.length === 0) return only;
  const picked = await window.showQuickPick(
    sessions.map(session => ({
      label: session.summary.title,
      description: `${session.summary.agent_name} · ${describeSession(session.summary)}`,
      session,
    })),
    { title },
  );
  return picked?.session;
}
