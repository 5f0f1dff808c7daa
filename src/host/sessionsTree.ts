import { EventEmitter, l10n, ThemeColor, ThemeIcon, TreeItem, type TreeDataProvider } from 'vscode';
import { unreachable } from '../../core/base/unreachable.ts';
import type { Activity } from '../../core/protocol/windowState.ts';
import type { SessionId } from '../../core/protocol/ids.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { ExternalSession } from '../bridge/externalSessions.ts';
import { describeSession } from './describeSession.ts';

/** A row of the sessions view that is a session. */
export interface SessionNode {
  readonly kind: 'session';
  readonly id: SessionId;
}

/** A conversation in a terminal that nobody has shared. */
export interface ExternalNode {
  readonly kind: 'external';
  readonly external: ExternalSession;
}

export type SessionsNode = SessionNode | ExternalNode;

/** This window's sessions, newest first, and what runs beside them in terminals of its own. */
export class SessionsTree implements TreeDataProvider<SessionsNode> {
  readonly #changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #bridge: () => Bridge | undefined;

  constructor(bridge: () => Bridge | undefined) {
    this.#bridge = bridge;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  getChildren(node?: SessionsNode): SessionsNode[] {
    const bridge = this.#bridge();
    if (node !== undefined || bridge === undefined) return [];
    return [
      ...bridge.sessions.all.map(({ id }) => ({ kind: 'session' as const, id })),
      ...bridge.externals.live.map(external => ({ kind: 'external' as const, external })),
    ];
  }

  getTreeItem(node: SessionsNode): TreeItem {
    if (node.kind === 'external') return externalItem(node.external);
    const session = this.#bridge()?.sessions.find(node.id);
    if (session === undefined) return new TreeItem('');
    const { summary } = session;
    const item = new TreeItem(summary.title);
    item.id = summary.session_id;
    // How it stands comes first: a narrow view cuts the end.
    const access = session.approvals.mode === 'full_access' ? [l10n.t('full access')] : [];
    const where = session.isOfOtherVersion ? [l10n.t('in another version')] : [];
    const state = [describeSession(summary), ...where, ...access];
    item.description = [...state, summary.agent_name].join(' · ');
    item.iconPath = summary.owner !== undefined ? new ThemeIcon('terminal') : iconOf(summary.activity);
    const way = session.terminal || session.canContinueInTerminal ? '.terminal' : '';
    item.contextValue = `session.${summary.activity}${way}`;
    item.tooltip = summary.asks ?? summary.title;
    item.accessibilityInformation = {
      label: [summary.title, summary.agent_name, ...state].join(', '),
    };
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** By its agent and folder: what is said in it is its user's until they share it. */
function externalItem({ title, agent, nativeId, cwd }: ExternalSession): TreeItem {
  const item = new TreeItem(title);
  item.id = `external.${agent}.${nativeId}`;
  item.description = l10n.t('not shared · in another terminal');
  item.iconPath = new ThemeIcon('terminal');
  item.contextValue = 'external';
  item.tooltip = l10n.t('{0} runs in a terminal in {1}. Share it to read along on your phone.', title, cwd);
  item.accessibilityInformation = { label: [title, l10n.t('not shared, in another terminal')].join(', ') };
  return item;
}

function iconOf(activity: Activity): ThemeIcon {
  switch (activity) {
    case 'idle':
      return new ThemeIcon('circle-outline');
    case 'running':
      return new ThemeIcon('loading~spin');
    case 'awaiting_approval':
    case 'awaiting_question':
      return new ThemeIcon('bell-dot', new ThemeColor('notificationsWarningIcon.foreground'));
    case 'ended':
      return new ThemeIcon('check');
  }
  return unreachable(activity);
}
