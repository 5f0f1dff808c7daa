import type { Block } from '../../../core/protocol/block/block.ts';

/** A block in the words of a test; undefined for one that tests of sessions do not tell from another of its type. */
export function writtenLine(block: Block): string | undefined {
  if (block.type === 'user_echo') return `prompt ${block.text} ${block.state}`;
  if (block.type === 'text') return `text ${block.text}`;
  if (block.type === 'tool_call') return `call ${block.id} ${block.status}`;
  if (block.type === 'tool_result') return `result ${block.tool_call_id} ${block.outcome}`;
  if (block.type === 'permission_request') return `ask ${block.id}`;
  if (block.type === 'permission_resolved')
    return `resolved ${block.id} ${String(block.granted)} ${block.by}`;
  if (block.type === 'question') return `question ${block.id}`;
  if (block.type === 'question_resolved')
    return `question_resolved ${block.id} ${String(block.answered)} ${block.by}`;
  if (block.type === 'session_end') return `end ${block.reason}`;
  if (block.type === 'handoff_state') return `${block.state} ${block.owner}`;
  if (block.type === 'session_state')
    return block.health ?? (block.stopping === undefined ? 'ended' : 'stopping');
  if (block.type === 'error') return `error ${block.code}`;
  return undefined;
}
