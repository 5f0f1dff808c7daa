import type { Block } from './block.ts';
import type { BlockHint } from './relayFrame.ts';

/** The coarse class that the relay may see of a block. */
export function blockHintOf(block: Block): BlockHint {
  switch (block.type) {
    case 'text':
    case 'thinking':
    case 'user_echo':
      return 'text';
    case 'tool_call':
    case 'tool_result':
      return 'tool';
    case 'permission_request':
    case 'permission_resolved':
    case 'error':
      return 'attention';
    case 'agent_info':
    case 'session_end':
    case 'session_state':
    case 'handoff_state':
      return 'state';
    case 'diff':
      return 'bulk';
  }
}
