import { l10n, ThemeIcon, window, type QuickPickItem } from 'vscode';
import type { Bridge } from '../bridge/bridge.ts';
import type { ExternalSession } from '../bridge/externalSessions.ts';
import { describeSession } from './describeSession.ts';
import { errorText } from './errorText.ts';
import { commandId } from './ids.ts';
import { pickSession } from './pickSession.ts';
import type { SessionsNode } from './sessionsTree.ts';
import { showErrorWithButton } from './showErrorWithButton.ts';

type Session = Bridge['sessions']['all'][number];

interface Choice extends QuickPickItem {
  readonly session?: Session;
  readonly external?: ExternalSession;
}

/**
 * What is to be shared: a session, or what runs in a terminal of its own and becomes one.
 *
 * @param node a row of the view; undefined asks when there is more than one
 * @returns undefined when there is nothing to share, or nothing was chosen
 */
export async function sessionToShare(
  bridge: Bridge,
  node: SessionsNode | undefined,
): Promise<Session | undefined> {
  if (node?.kind === 'session') return bridge.sessions.find(node.id);
  if (node?.kind === 'external') return bind(bridge, node.external);
  const title = l10n.t('Share which session?');
  const { live } = bridge.externals;
  const isOpen = (session: Session): boolean => session.summary.activity !== 'ended';
  if (live.length === 0) return pickSession(bridge, title, isOpen);
  const sessions = bridge.sessions.all.filter(isOpen).map(session => ({
    label: session.summary.title,
    description: `${session.summary.agent_name} · ${describeSession(session.summary)}`,
    session,
  }));
  const externals = live.map(external => ({
    label: external.title,
    description: l10n.t('not shared · in another terminal'),
    detail: external.cwd,
    iconPath: new ThemeIcon('terminal'),
    external,
  }));
  const choices: readonly Choice[] = [...sessions, ...externals];
  const [only] = choices;
  const picked = choices.length === 1 ? only : await window.showQuickPick(choices, { title });
  return picked?.external === undefined ? picked?.session : bind(bridge, picked.external);
}

async function bind(bridge: Bridge, external: ExternalSession): Promise<Session | undefined> {
  const bound = await bridge.bindExternal(external);
  if (bound.ok) return bound.value;
  await showErrorWithButton(errorText(bound.code), l10n.t('Show Log'), commandId.showLog);
  return undefined;
}
