import { unreachable } from '../../../core/base/unreachable.ts';
import type { AgentEvent } from '../agent.ts';
import { agentBlockId } from './agentBlockId.ts';
import type { AssistantRecord, AttachmentRecord, ClaudeRecord, UserRecord } from './claudeRecord.ts';
import { GrowingText } from './growingText.ts';
import { RecordedTurn } from './recordedTurn.ts';
import { ToolCalls } from './toolCalls.ts';
import { turnFailure } from './turnFailure.ts';
import { queuedPrompt, userWords } from './userWords.ts';

/** Said for the model where the API wants an answer and nobody asked for one. */
const filler = 'No response requested.';

/**
 * Turns the records of a conversation into events, in the conversation's order. Ids are those of `ClaudeDecoder`, which reads
 * the same conversation from a managed process. Holds only what is open.
 */
export class RecordDecoder {
  readonly #tools = new ToolCalls();
  readonly #turn = new RecordedTurn();
  /** A command that becomes a prompt when the model has something to do with it. */
  #command: { readonly id: string; readonly text: string } | undefined;
  /** The newest message, and how many of its blocks were read. */
  #message: { readonly id: string; blocks: number } = { id: '', blocks: 0 };

  /** Later records need little of earlier ones: no turn and no call is open. */
  get isSettled(): boolean {
    return !this.#turn.isOpen && this.#tools.isEmpty && this.#command === undefined;
  }

  /** Nothing has followed for a while, or nothing will. */
  quiet(): readonly AgentEvent[] {
    return this.#turn.quiet();
  }

  /**
   * The conversation goes on somewhere else: what runs here is over, as far as is known. Calls stay open, for their results
   * may be written yet.
   */
  leave(): readonly AgentEvent[] {
    this.#command = undefined;
    const ended = this.#turn.leave();
    return ended.length > 0 ? [...this.#tools.unknown(), ...ended] : [];
  }

  take(record: ClaudeRecord): readonly AgentEvent[] {
    switch (record.type) {
      case 'user':
        return this.#hear(record);
      case 'assistant':
        return this.#say(record);
      case 'attachment':
        return this.#queue(record);
      case 'system':
        if (record.subtype === 'local_command') this.#command = undefined;
        return record.subtype === 'turn_duration' ? this.#turn.end('completed') : [];
    }
    return unreachable(record);
  }

  #hear(record: UserRecord): readonly AgentEvent[] {
    const words = userWords(record);
    switch (words?.kind) {
      case 'prompt':
        return this.#ask(record.uuid, words.text);
      case 'command':
        this.#command = { id: record.uuid, text: words.text };
        return [];
      case 'output':
        this.#command = undefined;
        return [];
      case 'interrupt':
        this.#tools.clear();
        return this.#turn.end('interrupted');
      case undefined:
        this.#turn.goOn();
        return this.#results(record);
    }
    return unreachable(words);
  }

  #ask(id: string, text: string): readonly AgentEvent[] {
    this.#command = undefined;
    const ended = this.#turn.begin();
    const unknown = ended.length > 0 ? this.#tools.unknown() : [];
    if (ended.length > 0) this.#tools.clear();
    return [...unknown, ...ended, deskPrompt(id, text)];
  }

  /** A prompt that is folded into the turn that runs. */
  #queue(record: AttachmentRecord): readonly AgentEvent[] {
    const text = queuedPrompt(record);
    if (text === undefined) return [];
    this.#turn.work();
    return [deskPrompt(record.uuid, text)];
  }

  #results(record: UserRecord): readonly AgentEvent[] {
    const { content } = record.message;
    if (typeof content === 'string') return [];
    return content.flatMap(block => {
      if (block.type !== 'tool_result') return [];
      if (record.toolDenialBeforeRun === true) this.#tools.deny(block.tool_use_id ?? '');
      return this.#tools.end(block, record.toolUseResult);
    });
  }

  #say(record: AssistantRecord): readonly AgentEvent[] {
    const { message } = record;
    if (message.model === '<synthetic>' && message.content.every(block => block.text === filler)) return [];
    const command = this.#command;
    const asked = command === undefined ? [] : this.#ask(command.id, command.text);
    this.#turn.work(message.stop_reason);
    return [...asked, ...(record.isApiErrorMessage === true ? this.#fail(record) : this.#blocks(record))];
  }

  #blocks({ message, apiBlockIndex }: AssistantRecord): readonly AgentEvent[] {
    if (this.#message.id !== message.id) this.#message = { id: message.id, blocks: 0 };
    return message.content.flatMap((block, offset) => {
      const index = typeof apiBlockIndex === 'number' ? apiBlockIndex + offset : this.#message.blocks;
      this.#message.blocks += 1;
      if (block.type === 'tool_use') return this.#tools.begin(block, undefined);
      if (block.type !== 'text' && block.type !== 'thinking') return [];
      const text = (block.type === 'text' ? block.text : block.thinking) ?? '';
      return new GrowingText(block.type, `${message.id}.${String(index)}`).finish(text);
    });
  }

  #fail(record: AssistantRecord): readonly AgentEvent[] {
    const result = {
      type: 'result',
      subtype: 'success',
      api_error_status: record.apiErrorStatus,
      result: record.message.content.map(block => block.text ?? '').join('\n'),
    } as const;
    const id = agentBlockId(`${record.uuid}.error`);
    const failure = turnFailure(result, record.error ?? undefined);
    this.#tools.clear();
    return [{ type: 'block', block: { type: 'error', id, ...failure } }, ...this.#turn.end('error')];
  }
}

/** At most 64 characters of the id are told. */
function deskPrompt(id: string, text: string): AgentEvent {
  return { type: 'desk_prompt', id: agentBlockId(id).slice(-64), text };
}
