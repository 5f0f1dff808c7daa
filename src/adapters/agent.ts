import type { Disposable } from '../../core/base/disposable.ts';
import type { Result } from '../../core/base/result.ts';
import type { BlockId, TurnId } from '../../core/protocol/ids.ts';
import type { ModelList, SlashCommand, UsageBlock } from '../../core/protocol/block/agentBlocks.ts';
import type { PermissionOption, QuestionBlock } from '../../core/protocol/block/approvalBlocks.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import type { PlanItem, ToolInput } from '../../core/protocol/block/toolBlocks.ts';

/** An installed agent, as `detect` found it. */
export interface DetectedAgent {
  readonly version: string;
  /** Program and leading arguments. */
  readonly command: AgentCommand;
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
  /** Relative paths in `input` are of `cwd`, whatever ran before. Without it nobody knows what they are of. */
  readonly startsInCwd?: boolean;
  /** Of the tool at least; the session judges the action itself, and may find it graver. */
  readonly risk: 'low' | 'medium' | 'high';
  /** The agent, or a server behind it, has a reason of its own to ask. It makes the action stricter, never milder. */
  readonly hint?: 'medium' | 'high';
  readonly options: readonly PermissionOption[];
}

/** Something that the agent wants to know, and that waits for an answer. */
export type AskedQuestion = Omit<QuestionBlock, 'type' | 'ts' | 'turn_id' | 'parent_id'>;

/** The ids of chosen options, or own words. */
export type QuestionAnswer = { readonly selected: readonly string[] } | { readonly custom: string };

/** Blocks that an adapter may produce; the session makes the others. Without `ts` and `turn_id`, which the session sets. */
export type AgentBlock = DistributiveOmit<
  Extract<
    Block,
    {
      type:
        | 'text'
        | 'thinking'
        | 'tool_call'
        | 'tool_result'
        | 'diff'
        | 'error'
        | 'progress'
        | 'plan'
        | 'subagent';
    }
  >,
  'ts' | 'turn_id'
>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** How an agent is to work. What is absent is as it was, or as the agent does by itself. */
export interface ChosenSettings {
  readonly model?: string;
  readonly effort?: string;
  /** One of its own modes. */
  readonly mode?: string;
}

/** A mode that an agent itself has. */
export interface OwnMode {
  readonly id: string;
  /** A phone may choose it: the agent asks no less in it than by itself. */
  readonly fromAfar: boolean;
}

/** A file that goes with a prompt. */
export interface PromptFile {
  readonly mime: string;
  /** Its own name, without a folder. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Which files an agent takes with a prompt. */
export interface AttachmentRule {
  readonly mimes: readonly string[];
  /** Of all files of a prompt. */
  readonly totalBytes: number;
}

/** What one turn used, as the agent reports it. A value that it does not report is absent. */
export interface UsageReport {
  readonly turn: Partial<
    Pick<UsageBlock, 'input_tokens' | 'output_tokens' | 'cached_tokens' | 'cache_write_tokens' | 'cost_usd'>
  >;
  /** What this process has cost since it began, for an agent that does not say what the turn cost. */
  readonly run_cost_usd?: number;
  readonly context_window?: number;
}

/**
 * What a running agent tells. After an editor restart the adapter reads again from the last checkpoint, so the same output
 * must give the same events: ids come from the agent or are derived from its output, never drawn.
 */
export type AgentEvent =
  /** What follows was made of the line that ends at this offset. `at`: when the agent wrote it, in Unix milliseconds. */
  | { readonly type: 'line'; readonly end: number; readonly at?: number }
  | { readonly type: 'block'; readonly block: AgentBlock }
  /** A step of the agent's plan, which names its steps, was added, changed or taken away. What is absent stays as it was. */
  | {
      readonly type: 'plan_step';
      readonly id: string;
      readonly text?: string;
      readonly status?: PlanItem['status'] | 'deleted';
    }
  /** The models that it offers. */
  | { readonly type: 'models'; readonly models: ModelList['models'] }
  /** The commands that a prompt can begin with. */
  | { readonly type: 'commands'; readonly commands: readonly Omit<SlashCommand, 'source'>[] }
  /** Which model answers now, its own mode, and in which version it runs: it may have been updated since it was found. */
  | {
      readonly type: 'settings';
      readonly model?: string;
      readonly mode?: string;
      readonly version?: string;
    }
  /** Tokens that the conversation holds now. */
  | { readonly type: 'context'; readonly used: number }
  /** Share of a limit that is used up, 0 to 1; `resets_at` in Unix seconds. */
  | { readonly type: 'rate_limit'; readonly name: string; readonly used: number; readonly resets_at?: number }
  /** Once at the end of each turn, before its `turn_end`. */
  | { readonly type: 'usage'; readonly report: UsageReport }
  | { readonly type: 'proposal'; readonly action: ProposedAction }
  /** The agent has taken its proposal back: somebody answered it elsewhere, or it gave up. */
  | { readonly type: 'proposal_withdrawn'; readonly id: BlockId }
  | { readonly type: 'question'; readonly question: AskedQuestion }
  | { readonly type: 'question_withdrawn'; readonly id: BlockId }
  /** The agent took the prompt: its own record shows it. */
  | { readonly type: 'prompt_accepted' }
  /** The user gave the agent a prompt in the agent's own terminal. `id` is the agent's, at most 64 characters of a block id. */
  | { readonly type: 'desk_prompt'; readonly id: string; readonly text: string }
  /** The agent's own id of this conversation, to resume it later (requirement T86). */
  | { readonly type: 'native_id'; readonly id: string }
  | { readonly type: 'turn_end'; readonly reason: 'completed' | 'interrupted' | 'error' }
  /** Nothing is open that an earlier line began: output before this offset need not be read again. */
  | { readonly type: 'checkpoint'; readonly offset: number }
  /** The process is gone; nothing follows. `detail` is for the user, never for logs. */
  | { readonly type: 'exit'; readonly expected: boolean; readonly detail: string };

/** A running agent: one conversation, one writer. */
export interface RunningAgent extends Disposable {
  readonly events: AsyncIterable<AgentEvent>;
  /** Process id, for "who owns this session"; 0 when there is none of its own. */
  readonly pid: number;
  /** Names the output that offsets count in: another process, another name. */
  readonly sourceId: string;
  /** Settles once the output that was there already has been read again and dealt with. */
  readonly caughtUp: Promise<void>;
  /** @param files what the adapter's `attachments` allows */
  send(turn: TurnId, text: string, files?: readonly PromptFile[]): void;
  interrupt(): void;
  /** For an agent whose settings change while it runs. */
  configure?(settings: ChosenSettings): void;
  respondPermission(id: BlockId, optionId: string): void;
  /** For an agent that asks questions. Without an answer, nobody gives one. */
  answerQuestion?(id: BlockId, answer: QuestionAnswer | undefined): void;
  /** What was made of the output before this offset is safe: its source may forget it. */
  acknowledge(offset: number): void;
  /** Ends the agent and its children. `events` ends with `exit`. */
  stop(): void;
}

/** A complete line of an agent's output. */
export interface AgentLine {
  /** Without its newline. */
  readonly text: string;
  /** Offset after the newline, in bytes from the beginning of the output. */
  readonly end: number;
}

/** A program under a keeper, read by lines. Disposing it lets go; the program goes on. */
export interface LineProcess extends Disposable {
  readonly pid: number;
  readonly sourceId: string;
  /** Settles when the reader asks for more than what was there already at the beginning. */
  readonly caughtUp: Promise<void>;
  /** In order, from the last acknowledged offset. Ends when the process has ended. */
  readonly lines: AsyncIterable<AgentLine>;
  /** Settles after `lines` has ended; never once this was disposed, since the program goes on. */
  readonly exited: Promise<{ readonly expected: boolean; readonly detail: string }>;
  writeLine(text: string): void;
  acknowledge(offset: number): void;
  end(): void;
}

/** A program to run: arguments as an array, never a shell's text. */
export interface AgentCommand {
  readonly argv: readonly string[];
  /** On top of the user's environment without the editor's own variables. */
  readonly env: Readonly<Record<string, string>>;
}

export interface AgentContext {
  readonly cwd: string;
  /** The agent's own id of the conversation to go on with; undefined for a new one. */
  readonly resume: string | undefined;
  /** The conversation to go on with stays as it is, and this one goes on in a copy under another id. */
  readonly fork?: boolean;
  readonly settings: ChosenSettings;
  /** The process has been running all along: it is initialised, and its output is read again from the last checkpoint. */
  readonly isAdopted: boolean;
  /** Starts the agent's program under a keeper, or gives the one that runs. */
  openProcess(command: AgentCommand): Promise<Result<LineProcess, AgentStartFailure>>;
}

/** A conversation, by the agent's own id. */
export interface NativeConversation {
  readonly id: string;
  /** Nothing was said in it yet: the agent has no record of it, and is told to use this id. */
  readonly isNew: boolean;
}

/**
 * The agent's own record of one conversation, which it writes while its user works in its own terminal. It is only ever
 * read (architecture D3).
 */
export interface ConversationRecord {
  /** Names the record that offsets count in, at most 64 characters: another record, another name. */
  readonly sourceId: string;
  /** Its size now, in bytes; 0 when there is none yet. */
  readonly end: number;
  /** Nothing is in it that the agent could go on from, though there may be a record. Absent: anything is. */
  readonly isEmpty?: boolean;
  /**
   * What the record says from `from` on, and what is added while it is followed. The same bytes give the same events, with
   * ids as a managed run of the same conversation gives them, so that nothing is shown twice.
   *
   * @param from where a line begins, in bytes
   * @param finished aborted when nobody writes any more: what is left is read to its end, then the iteration ends
   */
  follow(from: number, finished: AbortSignal): AsyncIterable<AgentEvent>;
}

/** `other_version`: it runs already, under another version of Terminull. */
export type AgentStartFailure = 'agent_missing' | 'agent_failed' | 'workspace_missing' | 'other_version';
