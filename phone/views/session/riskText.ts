import type { PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';
import type { ToolCallBlock } from '../../../core/protocol/block/toolBlocks.ts';

/** What an action can do to the machine, and how grave that is. */
export function riskText(risk: PermissionRequest['risk'], kind: ToolCallBlock['kind'] | undefined): string {
  return `${levelText(risk)}: ${effectText(kind)}`;
}

function levelText(risk: PermissionRequest['risk']): string {
  switch (risk) {
    case 'low':
      return 'Low risk';
    case 'medium':
      return 'Medium risk';
    case 'high':
      return 'High risk';
  }
}

function effectText(kind: ToolCallBlock['kind'] | undefined): string {
  switch (kind) {
    case 'execute':
      return 'runs a command on your machine';
    case 'edit':
      return 'changes files on your machine';
    case 'read':
    case 'search':
      return 'reads files on your machine';
    case 'fetch':
      return 'talks to the network from your machine';
    case 'think':
    case 'other':
    case undefined:
      return 'uses a tool on your machine';
  }
}
