import { l10n } from 'vscode';
import { unreachable } from '../../core/base/unreachable.ts';
import type { SessionSummary } from '../../core/protocol/windowState.ts';

/** How a session stands, in a few words. */
export function describeSession(summary: SessionSummary): string {
  switch (summary.activity) {
    case 'idle':
      if (summary.owner === 'elsewhere') return l10n.t('in another terminal');
      return summary.owner === 'terminal' ? l10n.t('in the terminal') : l10n.t('ready');
    case 'running':
      if (summary.owner === 'elsewhere') return l10n.t('running in another terminal');
      return summary.owner === 'terminal' ? l10n.t('running in the terminal') : l10n.t('running');
    case 'awaiting_approval':
    case 'awaiting_question':
      return l10n.t('waits for you: {0}', summary.asks ?? '');
    case 'ended':
      return l10n.t('ended');
  }
  return unreachable(summary.activity);
}
