import { unreachable } from '../../core/base/unreachable.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import { cutText } from '../../core/base/cutText.ts';
import { toldRequest } from '../session/approval/longInput.ts';

/** Six bytes a character at worst: this many fit any frame. */
const shortChars = 24_000;

/** A block as it is told afar: of a request, only arguments that need not be fetched. */
export function toldBlock(block: Block): Block {
  return block.type === 'permission_request' ? toldRequest(block) : block;
}

/** A form of `block` that fits one frame whatever its characters are. */
export function shortenBlock(block: Block): Block {
  switch (block.type) {
    case 'text':
    case 'thinking':
    case 'user_echo':
    case 'stt_partial':
    case 'stt_final':
    case 'question':
      return { ...block, text: `${cutText(block.text, shortChars)}\n… (shortened)` };
    case 'tool_result':
      return { ...block, content: cutText(block.content, shortChars), truncated: true };
    case 'diff':
      return { ...block, unified: cutText(block.unified, shortChars), truncated: true };
    case 'tool_call':
      return { ...block, input: {} };
    case 'permission_request':
      // An action that cannot be shown in full cannot be approved from afar.
      return { ...block, input: {}, options: block.options.filter(option => option.kind === 'deny') };
    case 'session_summary':
      return { ...block, summary: cutText(block.summary, shortChars) };
    case 'agent_info':
    case 'progress':
    case 'bg_task':
    case 'subagent':
    case 'plan':
    case 'question_resolved':
    case 'usage':
    case 'model_list':
    case 'settings_changed':
    case 'mode_changed':
    case 'terminal_open':
    case 'terminal_data':
    case 'terminal_exit':
    case 'permission_resolved':
    case 'session_end':
    case 'session_state':
    case 'handoff_state':
    case 'error':
      return block;
  }
  return unreachable(block);
}
