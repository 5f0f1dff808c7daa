import { messageFormat, parseJson } from '../../../core/protocol/parseJson.ts';
import { limits } from '../../../core/protocol/limits.ts';
import { blockId, type BlockId } from '../../../core/protocol/ids.ts';
import type { PermissionOption } from '../../../core/protocol/block/approvalBlocks.ts';
import type { ToolInput } from '../../../core/protocol/block/toolBlocks.ts';
import { unreachable } from '../../../core/base/unreachable.ts';
import type { AgentEvent } from '../agent.ts';
import { demoFrame, type DemoFrame } from './demoFrame.ts';

const format = messageFormat(demoFrame);
const maxLineChars = 1_048_576;

const options: readonly PermissionOption[] = [
  { id: 'allow', label: 'Allow', kind: 'allow_once' },
  { id: 'deny', label: 'Deny', kind: 'deny' },
];

interface OpenTool {
  readonly name: string;
  readonly title: string;
  readonly kind: Extract<DemoFrame, { type: 'tool' }>['kind'];
  readonly input: ToolInput;
}

/** Turns the demo agent's lines into events. Holds only what is open: growing texts and running tools. */
export class DemoDecoder {
  readonly #texts = new Map<BlockId, { role: 'text' | 'thinking'; text: string }>();
  readonly #questions = new Set<BlockId>();
  readonly #tools = new Map<BlockId, OpenTool>();

  /** No text grows, no tool runs and no question waits: later lines need nothing of earlier ones. */
  get isSettled(): boolean {
    return this.#texts.size === 0 && this.#tools.size === 0 && this.#questions.size === 0;
  }

  /** A line that is no frame of ours is ignored: agents print more than they promise. */
  receive(line: string): readonly AgentEvent[] {
    const frame = parseJson(line, format, maxLineChars);
    return frame.ok ? this.#decode(frame.value) : [];
  }

  #decode(frame: DemoFrame): readonly AgentEvent[] {
    switch (frame.type) {
      case 'conversation':
        return [{ type: 'native_id', id: frame.id }];
      case 'prompt':
        return [{ type: 'desk_prompt', id: frame.id, text: frame.text.slice(0, limits.textChars) }];
      case 'accepted':
        return [{ type: 'prompt_accepted' }];
      case 'delta': {
        const text = ((this.#texts.get(frame.id)?.text ?? '') + frame.text).slice(0, limits.textChars);
        this.#texts.set(frame.id, { role: frame.role, text });
        return [{ type: 'block', block: { type: frame.role, id: frame.id, text, done: false } }];
      }
      case 'delta_end': {
        const open = this.#texts.get(frame.id);
        this.#texts.delete(frame.id);
        if (open === undefined) return [];
        return [{ type: 'block', block: { type: open.role, id: frame.id, text: open.text, done: true } }];
      }
      case 'tool': {
        const { id, name, title, kind, input } = frame;
        this.#tools.set(id, { name, title, kind, input });
        return [
          { type: 'block', block: { type: 'tool_call', id, name, title, kind, input, status: 'running' } },
        ];
      }
      case 'ask': {
        const { id, tool_id: toolCallId, name: tool, title, input, cwd, risk } = frame;
        const action = { id, toolCallId, tool, title, input, cwd, startsInCwd: true, risk, options };
        return [{ type: 'proposal', action }];
      }
      case 'question': {
        const { id, header, text, options: answers, multiple, allow_custom } = frame;
        this.#questions.add(id);
        const form = { id, header, text, options: answers, multiple, allow_custom };
        return [{ type: 'question', question: { ...form, position: 1, chain_length: 1 } }];
      }
      case 'answered':
        this.#questions.delete(frame.id);
        return [];
      case 'tool_end':
        return this.#endTool(frame);
      case 'diff': {
        const { id, tool_id, path, added, removed } = frame;
        const unified = frame.unified.slice(0, limits.bulkChars);
        const truncated = unified.length < frame.unified.length;
        return [
          {
            type: 'block',
            block: { type: 'diff', id, path, unified, truncated, added, removed, tool_call_id: tool_id },
          },
        ];
      }
      case 'turn_end':
        // What an agent leaves open belongs to a turn that is over.
        this.#texts.clear();
        this.#tools.clear();
        this.#questions.clear();
        return [{ type: 'turn_end', reason: frame.reason }];
    }
    return unreachable(frame);
  }

  #endTool(frame: Extract<DemoFrame, { type: 'tool_end' }>): readonly AgentEvent[] {
    const tool = this.#tools.get(frame.id);
    if (tool === undefined) return [];
    this.#tools.delete(frame.id);
    const content = frame.content.slice(0, limits.bulkChars);
    const status = frame.outcome === 'ok' ? 'done' : 'error';
    return [
      { type: 'block', block: { type: 'tool_call', id: frame.id, ...tool, status } },
      {
        type: 'block',
        block: {
          type: 'tool_result',
          id: blockId.parse(`${frame.id}.result`),
          tool_call_id: frame.id,
          content,
          truncated: content.length < frame.content.length,
          outcome: frame.outcome,
        },
      },
    ];
  }
}
