import type { BlockId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';
import type { ToolCallBlock, ToolInput, ToolResultBlock } from '../../../core/protocol/block/toolBlocks.ts';
import type { AgentEvent } from '../agent.ts';
import { agentBlockId } from './agentBlockId.ts';
import type { ContentBlock } from './claudeFrame.ts';
import { cutText, shorten } from '../../../core/base/cutText.ts';
import { describeTool } from './describeTool.ts';
import { patchDiff } from './patchDiff.ts';
import { planOfCall } from './planOfCall.ts';
import { resultText } from './resultText.ts';
import { partOf, SubAgents } from './subAgents.ts';
import { wholeInput } from './wholeInput.ts';

interface OpenCall {
  readonly name: string;
  readonly title: string;
  readonly kind: ToolCallBlock['kind'];
  readonly input: ToolInput;
  /** The sub-agent that made it. */
  readonly parent_id?: BlockId;
}

/** What both versions say of a call that an interrupt stopped. */
const interruptedResult = 'User rejected tool use';

/** What Claude Code writes when it takes up a conversation in which a call has no result. */
const lostResult = '[Tool call interrupted: the session ended before';

/** Calls of tools that run or wait, also those of sub-agents. */
export class ToolCalls {
  readonly #calls = new Map<string, OpenCall>();
  readonly #agents = new SubAgents();
  readonly #denied = new Set<string>();

  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  /** @param parent the call of the sub-agent that makes this one */
  begin(block: ContentBlock, parent: string | undefined): readonly AgentEvent[] {
    const { id: toolUseId, name: tool } = block;
    if (toolUseId === undefined || tool === undefined || this.#calls.has(toolUseId)) return [];
    const input = wholeInput(block.input);
    const { name, title: plain, kind } = describeTool(tool, input);
    const title = parent === undefined ? plain : shorten(`Sub-agent › ${plain}`, limits.titleChars);
    const call = { name, title, kind, input, ...partOf(parent) };
    this.#calls.set(toolUseId, call);
    return [callEvent(toolUseId, call, 'running'), ...this.#agents.begin(toolUseId, call, parent)];
  }

  /** Of a call that runs or waits. */
  inputOf(toolUseId: string | undefined): ToolInput | undefined {
    return this.#calls.get(toolUseId ?? '')?.input;
  }

  /** The user said no to a call; its result says only that it failed. */
  deny(toolUseId: string): void {
    this.#denied.add(toolUseId);
  }

  /** @param detail `tool_use_result` of the frame: what the tool tells programs */
  end(block: ContentBlock, detail: unknown): readonly AgentEvent[] {
    const toolUseId = block.tool_use_id ?? '';
    const call = this.#calls.get(toolUseId);
    if (call === undefined) return [];
    this.#calls.delete(toolUseId);
    const id = agentBlockId(toolUseId);
    const text = resultText(block.content);
    const outcome = text.startsWith(lostResult)
      ? 'unknown'
      : this.#outcome(toolUseId, block.is_error === true, detail);
    this.#denied.delete(toolUseId);
    const of = call.parent_id === undefined ? {} : { parent_id: call.parent_id };
    const content = cutText(text, limits.bulkChars);
    const result: AgentEvent = {
      type: 'block',
      block: {
        type: 'tool_result',
        ...of,
        id: agentBlockId(`${toolUseId}.result`),
        tool_call_id: id,
        content,
        truncated: content.length < text.length,
        outcome,
      },
    };
    const diff = outcome === 'ok' ? patchDiff(id, detail) : undefined;
    return [
      callEvent(toolUseId, call, outcome === 'ok' ? 'done' : 'error'),
      result,
      ...this.#agents.end(toolUseId, outcome === 'ok'),
      ...(diff === undefined ? [] : [{ type: 'block', block: { ...diff, ...of } } as const]),
      ...(outcome === 'ok' ? planOfCall({ ...call, detail, parent: call.parent_id }) : []),
    ];
  }

  /** Nobody wrote what became of those that are open. They stay open: it may be written yet. */
  unknown(): readonly AgentEvent[] {
    return [...this.#calls].flatMap(([toolUseId, call]): AgentEvent[] => {
      const id = agentBlockId(toolUseId);
      const of = call.parent_id === undefined ? {} : { parent_id: call.parent_id };
      const result = {
        id: agentBlockId(`${toolUseId}.result`),
        tool_call_id: id,
        content: '',
        truncated: false,
      };
      return [
        callEvent(toolUseId, call, 'error'),
        { type: 'block', block: { type: 'tool_result', ...of, ...result, outcome: 'unknown' } },
      ];
    });
  }

  /** The turn is over; the session says what became of calls without a result. */
  clear(): void {
    this.#calls.clear();
    this.#denied.clear();
    this.#agents.clear();
  }

  #outcome(toolUseId: string, isError: boolean, detail: unknown): ToolResultBlock['outcome'] {
    if (!isError) return 'ok';
    if (this.#denied.has(toolUseId)) return 'denied';
    return detail === interruptedResult ? 'interrupted' : 'error';
  }
}

function callEvent(toolUseId: string, call: OpenCall, status: ToolCallBlock['status']): AgentEvent {
  return { type: 'block', block: { type: 'tool_call', id: agentBlockId(toolUseId), ...call, status } };
}
