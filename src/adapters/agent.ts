import type { Disposable } from '../../core/base/disposable.ts';
import type { Result } from '../../core/base/result.ts';
import type { AgentId, BlockId, TurnId } from '../../core/protocol/ids.ts';
import type { Block, Capabilities, PermissionOption, ToolInput } from '../../core/protocol/block.ts';

/** An installed agent, as `detect` found it. */
export interface DetectedAgent {
  readonly version: string;
  /** Program and leading arguments. */
  readonly command: readonly string[];
}

/** An action that the agent wants to run and that waits for an answer. */
export interface ProposedAction {
  readonly id: BlockId;
  readonly toolCallId?: BlockId;
  readonly tool: string;
  readonly title: string;
  /** Complete arguments: the digest that is approved covers all of them. */
  readonly input: ToolInput;
  readonly cwd: string;
  readonly risk: 'low' | 'medium' | 'high';
  readonly options: readonly PermissionOption[];
}

/** Blocks that an adapter may produce; the session makes the others. Without `ts` and `turn_id`, which the session sets. */
export type AgentBlock = DistributiveOmit<
  Extract<Block, { type: 'text' | 'thinking' | 'tool_call' | 'tool_result' | 'diff' | 'error' }>,
  'ts' | 'turn_id'
>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export type AgentEvent =
  | { readonly type: 'block'; readonly block: AgentBlock }
  | { readonly type: 'proposal'; readonly action: ProposedAction }
  /** The agent took the prompt: its own record shows it. */
  | { readonly type: 'prompt_accepted' }
  | { readonly type: 'turn_end'; readonly reason: 'completed' | 'interrupted' | 'error' }
  /** The process is gone; nothing follows. `detail` is for the user, never for logs. */
  | { readonly type: 'exit'; readonly expected: boolean; readonly detail: string };

/** A running agent: one conversation, one writer. */
export interface RunningAgent extends Disposable {
  readonly events: AsyncIterable<AgentEvent>;
  /** Process id, for "who owns this session"; 0 when there is none of its own. */
  readonly pid: number;
  send(turn: TurnId, text: string): void;
  interrupt(): void;
  respondPermission(id: BlockId, optionId: string): void;
  /** Ends the agent and its children. `events` ends with `exit`. */
  stop(): void;
}

/** Lines in, lines out: what most agents speak, held by a keeper. */
export interface LineProcess extends Disposable {
  readonly pid: number;
  /** Complete lines of standard output, without the newline, in order. Ends when the process has ended. */
  readonly lines: AsyncIterable<string>;
  /** Settles after `lines` has ended. */
  readonly exited: Promise<{ readonly expected: boolean; readonly detail: string }>;
  writeLine(text: string): void;
  end(): void;
}

export interface AgentContext {
  readonly cwd: string;
  /** Starts the agent's program under a keeper. */
  openProcess(command: readonly string[]): Promise<Result<LineProcess, AgentStartFailure>>;
}

export type AgentStartFailure = 'agent_missing' | 'agent_failed' | 'workspace_missing';

/** What an adapter declares. Checked when it is loaded: see `defineAdapter`. */
export interface AgentAdapter {
  readonly agentId: AgentId;
  readonly displayName: string;
  readonly capabilities: Capabilities;
  /** Optional surfaces are declined aloud, never by silence (requirement T71). */
  readonly providesModels: false;
  readonly providesUsage: false;
  /** @returns undefined when the agent is not on this machine */
  detect(signal: AbortSignal): Promise<DetectedAgent | undefined>;
  start(agent: DetectedAgent, context: AgentContext): Promise<Result<RunningAgent, AgentStartFailure>>;
}
