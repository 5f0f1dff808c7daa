import type { AgentEvent } from '../../../src/adapters/agent.ts';
import { ConversationReader, type ReadOptions } from '../../../src/adapters/claude/conversationReader.ts';

/** Reads the lines of a conversation's file one after the other. */
export class RecordLines {
  readonly #reader: ConversationReader;
  #end = 0;

  constructor(options: ReadOptions = {}) {
    this.#reader = new ConversationReader(options);
  }

  get isSettled(): boolean {
    return this.#reader.isSettled;
  }

  receive(text: string): readonly AgentEvent[] {
    this.#end += Buffer.byteLength(text) + 1;
    return this.#reader.receive({ text, end: this.#end }).flatMap(({ events }) => events);
  }

  quiet(): readonly AgentEvent[] {
    return this.#reader.quiet().flatMap(({ events }) => events);
  }
}
