import { unreachable } from '../../../core/base/unreachable.ts';
import type { BlockId } from '../../../core/protocol/ids.ts';
import { messageFormat, parseJson } from '../../../core/protocol/parseJson.ts';
import type { AgentEvent, QuestionAnswer } from '../agent.ts';
import { agentBlockId } from './agentBlockId.ts';
import { apiRetry } from './apiRetry.ts';
import {
  answeredBehavior,
  claudeFrame,
  type ControlResponse,
  type AssistantFrame,
  type ClaudeFrame,
  type ResultFrame,
  type SystemFrame,
  type UserFrame,
} from './claudeFrame.ts';
import { unsupported, type ClaudeInput } from './claudeInput.ts';
import { Compaction } from './compaction.ts';
import { GrowingText } from './growingText.ts';
import { helloOf, settingRefusal } from './helloOf.ts';
import { MessageTexts } from './messageTexts.ts';
import { PendingAsks } from './pendingAsks.ts';
import type { Told } from './pendingQuestions.ts';
import { subAgentText } from './subAgents.ts';
import { ToolCalls } from './toolCalls.ts';
import { isConversationMissing, turnFailure } from './turnFailure.ts';
import { UnknownFrameCounts } from './unknownFrames.ts';
import { ContextCount, rateLimitOf, usageOf } from './usageOf.ts';

const format = messageFormat(claudeFrame);
/** As long a line as a keeper gives, in UTF-16 units. */
const maxLineChars = 4 * 1_048_576;
/** Names the request by which Claude Code is greeted. */
export const helloId = 'initialize';
const interruptedText = '[Request interrupted by user';

/** What one line amounts to. */
export interface Decoded {
  readonly events: readonly AgentEvent[];
  /** To be written to Claude Code at once. */
  readonly replies: readonly ClaudeInput[];
}

/** Something that Claude Code itself said of a failure, told when the turn's result says that it was one. */
interface Complaint {
  readonly kind: string;
  readonly id: string;
  readonly text: string;
}

/**
 * Turns Claude Code's lines into events. Holds only what is open: a message, running tools, requests, a failure whose
 * turn has not ended.
 *
 * A prompt counts as accepted at `system/init`, which begins every turn. The echo of `--replay-user-messages` will not
 * do: both versions send it only when the model begins to answer, so not for minutes while requests are retried, and never
 * for a local command such as /cost.
 */
export class ClaudeDecoder {
  readonly #texts = new MessageTexts();
  readonly #tools = new ToolCalls();
  readonly #asks: PendingAsks;
  readonly #compaction = new Compaction();
  readonly #context = new ContextCount();
  #nativeId: string | undefined;
  #model: string | undefined;
  #complaint: Complaint | undefined;
  /** Of the request that is being made again: one block tells all its tries. */
  #retryId: BlockId | undefined;
  #isInterrupted = false;
  #isOver = false;
  readonly #unknown: UnknownFrameCounts;

  /** @param cwd where the agent works */
  constructor(cwd: string, unknown = new UnknownFrameCounts()) {
    this.#asks = new PendingAsks(cwd);
    this.#unknown = unknown;
  }

  /** Later lines need nothing of earlier ones. */
  get isSettled(): boolean {
    return (
      this.#texts.isSettled &&
      this.#tools.isEmpty &&
      this.#asks.isEmpty &&
      !this.#compaction.isOpen &&
      this.#complaint === undefined &&
      this.#retryId === undefined &&
      !this.#isInterrupted
    );
  }

  /** Lines that were no frame of a kind known here: versions differ, and agents print more than they promise. */
  get skipped(): number {
    return this.#unknown.total;
  }

  /** Claude Code has said why it is about to end, so its exit is no crash. */
  get isOver(): boolean {
    return this.#isOver;
  }

  receive(line: string): Decoded {
    const frame = parseJson(line, format, maxLineChars);
    if (frame.ok) return this.#decode(frame.value);
    this.#unknown.add(line);
    return nothing;
  }

  /** @returns what to tell Claude Code; undefined when the request is no longer open */
  answer(id: BlockId, optionId: string): ClaudeInput | undefined {
    return this.#told(this.#asks.answer(id, optionId));
  }

  /**
   * @param answer undefined when nobody gives one
   * @returns what to tell Claude Code; undefined while other questions of the same call wait, or when it is not open
   */
  answerQuestion(id: BlockId, answer: QuestionAnswer | undefined): ClaudeInput | undefined {
    return this.#told(this.#asks.answerQuestion(id, answer));
  }

  #told(answer: Told | undefined): ClaudeInput | undefined {
    if (answer?.denied !== undefined) this.#tools.deny(answer.denied);
    return answer?.input;
  }

  /** The output has ended: ends the text that was growing. */
  finish(): readonly AgentEvent[] {
    return this.#texts.finish();
  }

  #decode(frame: ClaudeFrame): Decoded {
    switch (frame.type) {
      case 'system':
        return told(this.#note(frame));
      case 'stream_event':
        this.#retryId = undefined;
        if (isSubAgent(frame)) return nothing;
        return told([...this.#texts.stream(frame.event), ...this.#context.stream(frame.event)]);
      case 'assistant':
        return told(this.#say(frame));
      case 'user':
        return told(this.#hear(frame));
      case 'result':
        return this.#end(frame);
      case 'control_request':
        return this.#ask(frame.request_id, frame.request);
      case 'control_response':
        return told(this.#respond(frame.response));
      case 'rate_limit_event': {
        const limit = rateLimitOf(frame);
        return limit === undefined ? nothing : told([limit]);
      }
      case 'control_cancel_request':
        return told(this.#asks.cancel(frame.request_id));
    }
    return unreachable(frame);
  }

  #ask(id: string, request: Extract<ClaudeFrame, { type: 'control_request' }>['request']): Decoded {
    if (!('tool_name' in request)) return { events: [], replies: [unsupported(id)] };
    return told(this.#asks.add(id, request, this.#tools.inputOf(request.tool_use_id)));
  }

  #note(frame: SystemFrame): readonly AgentEvent[] {
    switch (frame.subtype) {
      case 'init':
        this.#model = frame.model ?? undefined;
        return [...settingsOf(frame), ...this.#begin(frame.session_id)];
      case 'api_retry':
        return [this.#retry(frame)];
      case 'status':
        return [...settingsOf(frame), ...this.#compaction.status(frame)];
      case 'compact_boundary':
        return this.#compaction.boundary(frame);
    }
    return [];
  }

  #retry(frame: SystemFrame): AgentEvent {
    this.#retryId ??= agentBlockId(`${frame.uuid ?? frame.session_id ?? 'turn'}.retry`);
    return { type: 'block', block: apiRetry(frame, this.#retryId) };
  }

  #begin(nativeId: string | undefined): readonly AgentEvent[] {
    const accepted = { type: 'prompt_accepted' } as const;
    if (nativeId === undefined || nativeId === this.#nativeId) return [accepted];
    this.#nativeId = nativeId;
    return [{ type: 'native_id', id: nativeId }, accepted];
  }

  #say(frame: AssistantFrame): readonly AgentEvent[] {
    const { message, error, uuid = message.id } = frame;
    if (typeof error === 'string') {
      const text = message.content.map(block => block.text ?? '').join('\n');
      this.#complaint = { kind: error, id: uuid, text };
      return [];
    }
    const parent = frame.parent_tool_use_id ?? undefined;
    return message.content.flatMap((block, index) => {
      const id = `${uuid}.${String(index)}`;
      if (block.type === 'tool_use') return this.#tools.begin(block, parent);
      return parent === undefined ? this.#texts.say(message.id, block, id) : subAgentText(parent, block, id);
    });
  }

  #hear(frame: UserFrame): readonly AgentEvent[] {
    const { content } = frame.message;
    if (typeof content === 'string') return [];
    return content.flatMap(block => {
      if (block.type === 'text' && block.text?.startsWith(interruptedText) === true && !isSubAgent(frame))
        this.#isInterrupted = true;
      if (block.type !== 'tool_result') return [];
      return [
        ...this.#asks.settle(block.tool_use_id ?? ''),
        ...this.#tools.end(block, frame.tool_use_result),
      ];
    });
  }

  #end(frame: ResultFrame): Decoded {
    const withdrawn = this.#asks.clear();
    const events = [...this.#texts.finish(), ...this.#compaction.finish(), ...withdrawn.events];
    const complaint = this.#complaint;
    const isFailed = frame.is_error ?? frame.subtype !== 'success';
    const isInterrupted =
      isFailed && (this.#isInterrupted || frame.terminal_reason?.startsWith('aborted') === true);
    this.#tools.clear();
    this.#complaint = undefined;
    this.#retryId = undefined;
    this.#isInterrupted = false;
    if (isFailed && !isInterrupted) {
      this.#isOver = isConversationMissing(frame);
      const id = agentBlockId(`${frame.uuid ?? complaint?.id ?? 'turn'}.error`);
      events.push({ type: 'block', block: { type: 'error', id, ...turnFailure(frame, complaint?.kind) } });
    } else if (complaint !== undefined) {
      events.push(...new GrowingText('text', complaint.id).finish(complaint.text));
    }
    const report = usageOf(frame, this.#model);
    if (report !== undefined) events.push({ type: 'usage', report });
    const reason = isInterrupted ? 'interrupted' : isFailed ? 'error' : 'completed';
    // A background task of the agent may run a turn of its own, which no prompt began.
    if (frame.origin?.kind !== 'task-notification') events.push({ type: 'turn_end', reason });
    return { events, replies: withdrawn.replies };
  }

  #respond({ request_id: requestId, response, error }: ControlResponse): readonly AgentEvent[] {
    if (requestId === helloId) return helloOf(response);
    if (typeof error === 'string') return settingRefusal(requestId, error);
    const { toolUseId, events } = this.#asks.confirm(requestId);
    if (toolUseId !== undefined && answeredBehavior.safeParse(response).data?.behavior === 'deny')
      this.#tools.deny(toolUseId);
    return events;
  }
}

const nothing: Decoded = { events: [], replies: [] };

function settingsOf(frame: SystemFrame): readonly AgentEvent[] {
  const { model, permissionMode: mode, claude_code_version: version } = frame;
  if (!model && !mode) return [];
  return [
    {
      type: 'settings',
      ...(model ? { model } : {}),
      ...(mode ? { mode } : {}),
      ...(version ? { version } : {}),
    },
  ];
}

function told(events: readonly AgentEvent[]): Decoded {
  return { events, replies: [] };
}

function isSubAgent(frame: { readonly parent_tool_use_id?: string | null | undefined }): boolean {
  return typeof frame.parent_tool_use_id === 'string';
}
