import { unreachable } from '../../core/base/unreachable.ts';
import type { AgentInfo } from '../../core/protocol/block/agentBlocks.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import { cutText, shorten } from '../../core/base/cutText.ts';
import type { ErrorBlock } from '../../core/protocol/block/sessionBlocks.ts';
import { toldRequest } from '../session/approval/longInput.ts';

/** Six bytes a character at worst: this many fit any frame, beside all else that a block has. */
const shortChars = 24_000;
/** Beside two paths. */
const shortDiffChars = 20_000;
/** Of a list's entries, as many as a block may have. */
const shortItemChars = 100;
const shortLabelChars = 16;
const shortDescriptionChars = 40;
const shortArgsChars = 20;

type SlashCommand = NonNullable<AgentInfo['slash_commands']>[number];

/** Shown on the phone in place of what could not be told. */
const untellableText = 'A part of this conversation cannot be shown here. Look at it at the desk.';

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
      return { ...block, unified: cutText(block.unified, shortDiffChars), truncated: true };
    case 'tool_call':
      return { ...block, input: {} };
    case 'permission_request':
      // An action that cannot be shown in full cannot be approved from afar.
      return { ...block, input: {}, options: block.options.filter(option => option.kind === 'deny') };
    case 'session_summary':
      return { ...block, summary: cutText(block.summary, shortChars) };
    case 'plan':
      return {
        ...block,
        items: block.items.map(item => ({ ...item, text: shorten(item.text, shortItemChars) })),
      };
    // What is chosen by its id stays whole; only the words that explain it are cut.
    case 'model_list':
      return {
        ...block,
        models: block.models.map(model => ({ ...model, label: shorten(model.label, shortLabelChars) })),
      };
    case 'agent_info':
      return block.slash_commands === undefined
        ? block
        : { ...block, slash_commands: block.slash_commands.map(shortenCommand) };
    case 'progress':
    case 'bg_task':
    case 'subagent':
    case 'question_resolved':
    case 'usage':
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

function shortenCommand(command: SlashCommand): SlashCommand {
  const { description, args } = command;
  return {
    ...command,
    description: shorten(description, shortDescriptionChars),
    ...(args === undefined ? {} : { args: shorten(args, shortArgsChars) }),
  };
}

/** Stands in a block's place when no form of it can be told, so that the blocks after it can be. */
export function placeholderOf({ id, ts, turn_id }: Block): ErrorBlock {
  const turn = turn_id === undefined ? {} : { turn_id };
  return { type: 'error', ts, ...turn, id, code: 'internal', message: untellableText };
}
