import type { ToolInput } from '../../../core/protocol/block/toolBlocks.ts';
import type { BlockId } from '../../../core/protocol/ids.ts';
import type { AgentEvent, QuestionAnswer } from '../agent.ts';
import { agentBlockId } from './agentBlockId.ts';
import { askChoices, refusal, type Choice } from './askChoices.ts';
import type { ToolRequest } from './claudeFrame.ts';
import { permissionAnswer, type ClaudeInput } from './claudeInput.ts';
import { describeTool } from './describeTool.ts';
import { PendingQuestions, type Told } from './pendingQuestions.ts';
import { wholeInput } from './wholeInput.ts';

interface Ask {
  readonly requestId: string;
  readonly toolUseId: string | undefined;
  readonly choices: readonly Choice[];
  isAnswered: boolean;
}

/** Permission requests and questions that Claude Code waits for. */
export class PendingAsks {
  readonly #cwd: string;
  readonly #asks = new Map<BlockId, Ask>();
  readonly #questions = new PendingQuestions();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  get isEmpty(): boolean {
    return this.#asks.size === 0 && this.#questions.isEmpty;
  }

  /** @param called what the model called the tool with, if that is known */
  add(requestId: string, request: ToolRequest, called: ToolInput | undefined): readonly AgentEvent[] {
    return this.#questions.add(requestId, request) ?? [this.#propose(requestId, request, called)];
  }

  #propose(requestId: string, request: ToolRequest, called: ToolInput | undefined): AgentEvent {
    const id = agentBlockId(requestId);
    const { tool_name, tool_use_id: toolUseId } = request;
    const input = wholeInput(shownInput(request, called));
    const { name: tool, title, kind, risk } = describeTool(tool_name, request.input);
    const choices = askChoices(request, kind);
    this.#asks.set(id, { requestId, toolUseId, choices, isAnswered: false });
    const options = choices.map(choice => choice.option);
    const call = toolUseId === undefined ? {} : { toolCallId: agentBlockId(toolUseId) };
    // Its shell stays where an earlier command has gone to, so it is not said to start in `cwd`.
    const hasReason = [request.decision_reason_type, request.blocked_path].some(Boolean);
    const hint = hasReason ? { hint: 'medium' as const } : {};
    return {
      type: 'proposal',
      action: { id, ...call, tool, title, input, cwd: this.#cwd, risk, ...hint, options },
    };
  }

  /**
   * An option that was not offered is a refusal.
   *
   * @returns what to tell Claude Code, and the tool call that was denied; undefined for a request that was answered or is
   * gone
   */
  answer(id: BlockId, optionId: string): Told | undefined {
    const ask = this.#asks.get(id);
    if (ask === undefined || ask.isAnswered) return undefined;
    ask.isAnswered = true;
    const { answer } = ask.choices.find(choice => choice.option.id === optionId) ?? refusal;
    return {
      input: permissionAnswer(ask.requestId, answer),
      denied: answer.behavior === 'deny' ? ask.toolUseId : undefined,
    };
  }

  /** The same for a question, which nobody answers when `answer` is undefined. */
  answerQuestion(id: BlockId, answer: QuestionAnswer | undefined): Told | undefined {
    return this.#questions.answer(id, answer);
  }

  /** An answer was said back: it has arrived. @returns its tool call, and what nobody is asked any more */
  confirm(requestId: string): ReturnType<PendingQuestions['confirm']> {
    const id = agentBlockId(requestId);
    const ask = this.#asks.get(id);
    this.#asks.delete(id);
    return ask === undefined ? this.#questions.confirm(requestId) : { toolUseId: ask.toolUseId, events: [] };
  }

  /** The agent took a request back. */
  cancel(requestId: string): readonly AgentEvent[] {
    return this.#withdraw(ask => ask.requestId === requestId);
  }

  /** A call has its result, so nobody waits for an answer any more. */
  settle(toolUseId: string): readonly AgentEvent[] {
    return this.#withdraw(ask => ask.toolUseId === toolUseId);
  }

  /** The turn is over. @returns also refusals for what nobody answered: a background task may still wait */
  clear(): { readonly events: readonly AgentEvent[]; readonly replies: readonly ClaudeInput[] } {
    const message = 'The turn ended before anybody answered.';
    const replies = [...this.#asks.values()]
      .filter(ask => !ask.isAnswered)
      .map(ask => permissionAnswer(ask.requestId, { behavior: 'deny', message }));
    const refusals = [...replies, ...this.#questions.refusals()];
    return { events: this.#withdraw(() => true), replies: refusals };
  }

  #withdraw(matches: (ask: Pick<Ask, 'requestId' | 'toolUseId'>) => boolean): readonly AgentEvent[] {
    const events: AgentEvent[] = [...this.#questions.withdraw(matches)];
    for (const [id, ask] of this.#asks) {
      if (!matches(ask)) continue;
      this.#asks.delete(id);
      if (!ask.isAnswered) events.push({ type: 'proposal_withdrawn', id });
    }
    return events;
  }
}

/** A plan that was written to no file is in the call alone, and what is approved is shown. */
function shownInput({ tool_name, input }: ToolRequest, call: ToolInput | undefined): ToolInput {
  const isWithoutPlan = tool_name === 'ExitPlanMode' && input.plan === undefined;
  return isWithoutPlan && call?.plan !== undefined ? { ...input, plan: call.plan } : input;
}
