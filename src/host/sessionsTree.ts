import { EventEmitter, l10n, ThemeColor, ThemeIcon, TreeItem, type TreeDataProvider } from 'vscode';
import { unreachable } from '../../core/base/unreachable.ts';
import type { Activity, SessionSummary } from '../../core/protocol/message.ts';
import type { SessionId } from '../../core/protocol/ids.ts';
import type { Bridge } from '../bridge/bridge.ts';

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
    item.description = [summary.agent_name, describe(summary)].join(' · ');
    item.iconPath = iconOf(summary.activity);
    item.contextValue = `session.${summary.activity}`;
    item.tooltip = summary.asks ?? summary.title;
    item.accessibilityInformation = {
      label: `${summary.title}, ${summary.agent_name}, ${describe(summary)}`,
    };
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function describe(summary: SessionSummary): string {
  switch (summary.activity) {
    case 'idle':
      return l10n.t('ready');
    case 'running':
      return l10n.t('running');
    case 'awaiting_approval':
      return l10n.t('waits for you: {0}', summary.asks ?? '');
    case 'ended':
      return l10n.t('ended');
  }
  return unreachable(summary.activity);
}

function iconOf(activity: Activity): ThemeIcon {
  switch (activity) {
    case 'idle':
      return new ThemeIcon('circle-outline');
    case 'running':
      return new ThemeIcon('loading~spin');
    case 'awaiting_approval':
      return new ThemeIcon('bell-dot', new ThemeColor('notificationsWarningIcon.foreground'));
    case 'ended':
      return new ThemeIcon('check');
  }
  return unreachable(activity);
}
