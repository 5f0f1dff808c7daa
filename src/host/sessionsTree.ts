import { EventEmitter, l10n, ThemeColor, ThemeIcon, TreeItem, type TreeDataProvider } from 'vscode';
import { unreachable } from '../../core/base/unreachable.ts';
import type { Activity } from '../../core/protocol/windowState.ts';
import type { SessionId } from '../../core/protocol/ids.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { describeSession } from './describeSession.ts';

/** A row of the sessions view. */
export interface SessionNode {
  readonly kind: 'session';
  readonly id: SessionId;
}

/** This window's sessions, newest first. */
export class SessionsTree implements TreeDataProvider<SessionNode> {
  readonly #changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #bridge: () => Bridge | undefined;

  constructor(bridge: () => Bridge | undefined) {
    this.#bridge = bridge;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  getChildren(node?: SessionNode): SessionNode[] {
    if (node !== undefined) return [];
    return (this.#bridge()?.sessions.all ?? []).map(session => ({ kind: 'session', id: session.id }));
  }

  getTreeItem(node: SessionNode): TreeItem {
    const session = this.#bridge()?.sessions.find(node.id);
    if (session === undefined) return new TreeItem('');
    const { summary } = session;
    const item = new TreeItem(summary.title);
    item.id = summary.session_id;
    // How it stands comes first: a narrow view cuts the end.
    const access = session.approvals.mode === 'full_access' ? [l10n.t('full access')] : [];
    item.description = [describeSession(summary), ...access, summary.agent_name].join(' · ');
    item.iconPath = session.terminal ? new ThemeIcon('terminal') : iconOf(summary.activity);
    const way = session.terminal || session.canContinueInTerminal ? '.terminal' : '';
    item.contextValue = `session.${summary.activity}${way}`;
    item.tooltip = summary.asks ?? summary.title;
    item.accessibilityInformation = {
      label: [summary.title, summary.agent_name, describeSession(summary), ...access].join(', '),
    };
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }
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
