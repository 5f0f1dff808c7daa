import type { Disposable } from '../../core/base/disposable.ts';
import type { Event } from '../../core/base/emitter.ts';
import type { BlockId } from '../../core/protocol/ids.ts';
import type { ToolInput } from '../../core/protocol/block/toolBlocks.ts';
import type {
  AgentCommand,
  AskedQuestion,
  ConversationRecord,
  DetectedAgent,
  NativeConversation,
  ProposedAction,
  QuestionAnswer,
} from './agent.ts';
import type { HeldAsks } from './heldAsks.ts';

/** What a person is asked at the agent's own terminal, and may as well answer from elsewhere. */
export type PromptPart =
  | { readonly type: 'proposal'; readonly action: ProposedAction }
  | { readonly type: 'question'; readonly question: AskedQuestion };

/** A dialog of the agent's own program. Whoever answers first, there or here, has answered. */
export interface TerminalPrompt {
  readonly id: string;
  /** The call that waits for it, as its `tool_call` block names it. */
  readonly tool: string;
  readonly input: ToolInput;
  /** One proposal, or at least one question. */
  readonly parts: readonly PromptPart[];
}

/** The dialogs that an agent's own program shows now. */
export interface TerminalPrompts extends Disposable {
  /** Those that may be answered from here, oldest first; at most 16. They have the same ids again after a restart. */
  readonly open: readonly TerminalPrompt[];
  /** It waits for its user in a dialog that nothing here tells of. */
  readonly needsDesk: boolean;
  /** What is open has changed, or whether the desk is needed. */
  readonly onDidChange: Event<void>;
  /** One that is not open any more, or an option that was not offered, changes nothing. */
  respondPermission(id: BlockId, optionId: string): void;
  /** Without an answer the dialog stays at the desk. */
  answerQuestion(id: BlockId, answer: QuestionAnswer | undefined): void;
  /**
   * Closes all of them, and stops the turn that they belong to.
   *
   * @returns false when none is open: the program is to be stopped as its user would
   */
  interrupt(): boolean;
  /** The agent's record shows that nobody waits for this one any more. */
  settle(id: string): void;
}

/** Where an agent's own program runs, for who tells of its dialogs. */
export interface TerminalPlace {
  readonly nativeId: string;
  readonly cwd: string;
  /** Of the program that was started there. */
  readonly pid: number;
  readonly asks: HeldAsks;
}

/** An agent whose conversations can go on in its own terminal program, and are read there. */
export interface TerminalSupport {
  /** A new id for a conversation that begins in the terminal. */
  newId(): string;
  /** What its user would type to go on with a conversation. */
  command(agent: DetectedAgent, conversation: NativeConversation): AgentCommand;
  openRecord(agent: DetectedAgent, nativeId: string): ConversationRecord;
  /** How much of a conversation's record was copied from an earlier one's, in bytes; 0 when nothing was. */
  copiedFrom?(earlier: string, nativeId: string): Promise<number>;
  /** Its dialogs, where its program tells of them. Without it they are seen and answered in its terminal only. */
  prompts?(place: TerminalPlace): TerminalPrompts;
}
