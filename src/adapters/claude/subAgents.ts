import { shorten } from '../../../core/base/cutText.ts';
import type { SubagentBlock, ToolInput } from '../../../core/protocol/block/toolBlocks.ts';
import type { BlockId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';
import type { AgentEvent } from '../agent.ts';
import { agentBlockId } from './agentBlockId.ts';
import type { ContentBlock } from './claudeFrame.ts';
import { GrowingText } from './growingText.ts';

/** The tool that calls a sub-agent, as older and newer versions name it. */
const tools: ReadonlySet<string> = new Set(['Task', 'Agent']);
const maxDepth = 16;

type Shown = Omit<SubagentBlock, 'ts' | 'status'>;

/** Sub-agents that run, by the call that began them. Their own blocks name them as the parent. */
export class SubAgents {
  readonly #agents = new Map<string, Shown>();

  /** @returns nothing for a call of another tool */
  begin(
    toolUseId: string,
    call: { readonly name: string; readonly input: ToolInput },
    parent: string | undefined,
  ): readonly AgentEvent[] {
    if (!tools.has(call.name)) return [];
    const { subagent_type: kind, description } = call.input;
    const depth = (this.#agents.get(parent ?? '')?.depth ?? 0) + 1;
    const agent: Shown = {
      type: 'subagent',
      ...partOf(parent),
      id: agentIdOf(toolUseId),
      name: shorten(typeof kind === 'string' ? kind : 'general-purpose', limits.nameChars),
      task: shorten(typeof description === 'string' ? description : '', limits.titleChars),
      depth: Math.min(depth, maxDepth),
    };
    this.#agents.set(toolUseId, agent);
    return [{ type: 'block', block: { ...agent, status: 'running' } }];
  }

  end(toolUseId: string, isDone: boolean): readonly AgentEvent[] {
    const agent = this.#agents.get(toolUseId);
    this.#agents.delete(toolUseId);
    if (agent === undefined) return [];
    return [{ type: 'block', block: { ...agent, status: isDone ? 'done' : 'error' } }];
  }

  /** The turn is over; the session says that what has no end has none. */
  clear(): void {
    this.#agents.clear();
  }
}

/** A sub-agent's words: they come whole, and are part of it. */
export function subAgentText(parent: string, block: ContentBlock, id: string): readonly AgentEvent[] {
  if (block.type !== 'text' && block.type !== 'thinking') return [];
  const text = (block.type === 'text' ? block.text : block.thinking) ?? '';
  return new GrowingText(block.type, id, agentIdOf(parent)).finish(text);
}

/** What a block of a sub-agent says of it. */
export function partOf(parent: string | undefined): { readonly parent_id?: BlockId } {
  return parent === undefined ? {} : { parent_id: agentIdOf(parent) };
}

/** Beside the id of the call itself, which is a block of its own. */
function agentIdOf(toolUseId: string): BlockId {
  return agentBlockId(`${toolUseId}.agent`);
}
