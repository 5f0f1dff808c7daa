import { commands, l10n, window } from 'vscode';
import type { Bridge } from '../bridge/bridge.ts';
import { describeSession } from './describeSession.ts';
import { commandId } from './ids.ts';

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
    void offerNewSession(bridge.sessions.all.length === 0);
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

async function offerNewSession(isFirst: boolean): Promise<void> {
  const start = l10n.t('New Session');
  const text = isFirst
    ? l10n.t('There is no session yet.')
    : l10n.t('This cannot be done with any of your sessions.');
  if ((await window.showInformationMessage(text, start)) === start)
    await commands.executeCommand(commandId.newSession);
}
