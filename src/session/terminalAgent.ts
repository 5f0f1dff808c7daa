import type { AgentEvent, ConversationRecord, RunningAgent } from '../adapters/agent.ts';
import type { OutputPlace } from './journalEntry.ts';
import type { TerminalProcess } from '../terminal/terminalProcess.ts';

/**
 * An agent in its own terminal, as the session follows it: what it does is read from its own record, and nothing is told
 * to it. Its end is the end of its program.
 */
export class TerminalAgent implements RunningAgent {
  /** Undefined when it ended while no window was there: what it did meanwhile is still read. */
  readonly process: TerminalProcess | undefined;
  readonly events: AsyncIterable<AgentEvent>;
  readonly caughtUp = Promise.resolve();
  /** Where in the record its life in the terminal began. */
  readonly began: OutputPlace & { readonly endedTurn: false };
  /** The agent's own id of the conversation. */
  readonly nativeId: string;
  readonly #record: ConversationRecord;
  readonly #finished = new AbortController();
  /** It has ended, or nobody follows it any more. */
  readonly #over = new Promise<void>(resolve =>
    this.#finished.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  /** Settles when its program has ended. */
  readonly ended: Promise<unknown>;

  constructor(
    process: TerminalProcess | undefined,
    record: ConversationRecord,
    nativeId: string,
    from: number,
  ) {
    this.process = process;
    this.began = { source: record.sourceId, end: from, endedTurn: false };
    this.nativeId = nativeId;
    this.#record = record;
    this.events = this.#follow(from);
    this.ended = process?.exited ?? Promise.resolve();
    void this.ended.then(() => this.#finished.abort());
  }

  get pid(): number {
    return this.process?.pid ?? 0;
  }

  get sourceId(): string {
    return this.#record.sourceId;
  }

  /** Nothing has been said in it. */
  get isEmpty(): boolean {
    return this.#record.end === 0;
  }

  send(): void {
    // Prompts wait until the terminal's program has ended: whoever sits there is the one writer.
  }

  interrupt(): void {
    // The terminal's user stops it.
  }

  respondPermission(): void {
    // It is asked and answered in the terminal.
  }

  acknowledge(): void {
    // The record is the agent's own, and stays.
  }

  stop(): void {
    this.process?.end();
  }

  dispose(): void {
    this.#finished.abort();
    this.process?.dispose();
  }

  async *#follow(from: number): AsyncGenerator<AgentEvent, void, void> {
    yield* this.#record.follow(from, this.#finished.signal);
    // A record that cannot be read any more does not mean that nobody writes.
    await this.#over;
    yield { type: 'exit', expected: true, detail: '' };
  }
}
