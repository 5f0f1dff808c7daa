import type { ToolCallBlock } from '../../../core/protocol/block/toolBlocks.ts';

/** What a tool does, in a word. */
export function toolKindText(kind: ToolCallBlock['kind']): string {
  switch (kind) {
    case 'read':
      return 'Read';
    case 'edit':
      return 'Edit';
    case 'execute':
      return 'Command';
    case 'search':
      return 'Search';
    case 'fetch':
      return 'Fetch';
    case 'think':
      return 'Plan';
    case 'other':
      return 'Tool';
  }
}
