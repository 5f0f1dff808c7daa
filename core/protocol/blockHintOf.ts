import type { Block } from './block/block.ts';
import type { BlockHint } from './relayFrame.ts';

/** The coarse class that the relay may see of a block. */
export function blockHintOf(block: Block): BlockHint {
  switch (block.type) {
    case 'text':
    case 'thinking':
    case 'user_echo':
    case 'stt_partial':
    case 'stt_final':
      return 'text';
    case 'tool_call':
    case 'tool_result':
    case 'progress':
    case 'bg_task':
    case 'subagent':
    case 'plan':
      return 'tool';
    case 'permission_request':
    case 'permission_resolved':
    case 'question':
    case 'question_resolved':
    case 'error':
      return 'attention';
    case 'agent_info':
    case 'session_end':
    case 'session_state':
    case 'handoff_state':
    case 'session_summary':
    case 'usage':
    case 'model_list':
    case 'settings_changed':
    case 'mode_changed':
    case 'terminal_open':
    case 'terminal_exit':
      return 'state';
    case 'diff':
    case 'terminal_data':
      return 'bulk';
  }
}
