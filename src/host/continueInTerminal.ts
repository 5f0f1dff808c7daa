import { l10n, ProgressLocation, window } from 'vscode';
import type { Bridge } from '../bridge/bridge.ts';
import { commandId } from './ids.ts';
import { errorText } from './errorText.ts';
import { showErrorWithButton } from './showErrorWithButton.ts';
import type { AgentTerminals } from './agentTerminals.ts';

type Session = Bridge['sessions']['all'][number];

/** How long a turn that was told to stop may take until it has. */
const stopMs = 30_000;

/** Moves a session to its agent's own terminal, or shows that terminal when it is there already. */
export async function continueInTerminal(session: Session, terminals: AgentTerminals): Promise<void> {
  if (session.terminal !== undefined) {
    terminals.show(session);
    return;
  }
  if (session.summary.turn_id !== undefined && !(await stopTurn(session))) return;
  const moved = await window.withProgress(
    { location: ProgressLocation.Window, title: l10n.t('Opening the terminal') },
    () => session.continueInTerminal(),
  );
  if (moved.ok) terminals.show(session);
  else await showErrorWithButton(errorText(moved.code), l10n.t('Show Log'), commandId.showLog);
}

/** @returns whether no turn runs any more */
async function stopTurn(session: Session): Promise<boolean> {
  const stop = l10n.t('Stop and Continue');
  const text = l10n.t(
    '{0} is in the middle of a turn. It can move to a terminal when that has ended.',
    session.summary.agent_name,
  );
  if ((await window.showWarningMessage(text, stop)) !== stop) return false;
  const turn = session.summary.turn_id;
  if (turn === undefined) return true;
  session.interrupt(turn);
  return window.withProgress({ location: ProgressLocation.Window, title: l10n.t('Stopping the turn') }, () =>
    untilIdle(session),
  );
}

function untilIdle(session: Session): Promise<boolean> {
  return new Promise(resolve => {
    const settle = (isIdle: boolean): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve(isIdle);
    };
    const timer = setTimeout(() => settle(false), stopMs);
    const look = (): void => {
      if (session.summary.turn_id === undefined) settle(true);
    };
    const listener = session.onDidChange(look);
    look();
  });
}
