import assert from 'node:assert/strict';
import type { BlockType } from '../../../core/protocol/block/block.ts';
import { blockHintOf } from '../../../core/protocol/blockHintOf.ts';
import type { BlockHint } from '../../../core/protocol/relayFrame.ts';
import { blockTypes, fullestBlock } from '../../fakes/fullestBlock.ts';

/** What a relay may learn of each block (protocol.md 2.4): docs/threat-model.md tells users of these classes. */
const hints: Readonly<Record<BlockType, BlockHint>> = {
  text: 'text',
  thinking: 'text',
  user_echo: 'text',
  stt_partial: 'text',
  stt_final: 'text',
  tool_call: 'tool',
  tool_result: 'tool',
  progress: 'tool',
  bg_task: 'tool',
  subagent: 'tool',
  plan: 'tool',
  permission_request: 'attention',
  permission_resolved: 'attention',
  question: 'attention',
  question_resolved: 'attention',
  error: 'attention',
  agent_info: 'state',
  session_end: 'state',
  session_state: 'state',
  session_summary: 'state',
  handoff_state: 'state',
  usage: 'state',
  model_list: 'state',
  settings_changed: 'state',
  mode_changed: 'state',
  terminal_open: 'state',
  terminal_exit: 'state',
  terminal_data: 'bulk',
  diff: 'bulk',
};

describe('the class of a block that a relay sees', () => {
  it('is the documented one of every type', () => {
    const found = blockTypes.map(type => [type, blockHintOf(fullestBlock(type, 'a'))]);
    assert.deepEqual(Object.fromEntries(found), hints);
  });
});
