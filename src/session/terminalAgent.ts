import type { BlockId } from '../../core/protocol/ids.ts';
import type { AgentEvent, ConversationRecord, QuestionAnswer, RunningAgent } from '../adapters/agent.ts';
import type { TerminalPrompts } from '../adapters/terminalSupport.ts';
import type { TerminalProcess } from '../terminal/terminalProcess.ts';
import type { OwnersEnd } from './ownerWatch.ts';
import type { OutputPlace } from './journalEntry.ts';

/** A conversation that somebody has with an agent in a terminal. */
export interface TerminalConversation {
  readonly record: ConversationRecord;
  /** The agent's own id of it; undefined for one that is only read, and goes on under another id. */
  readonly nativeId: string | undefined;
  /** Where in the record what is told of it begins, in bytes. */
  readonly from: number;
  /** Its dialogs; undefined when they are seen in its terminal only. */
  readonly prompts?: TerminalPrompts | undefined;
}

/** Who writes in a terminal that is not ours. */
export interface TerminalOwner {
  readonly pid: number;
  /** Settles when it is gone, or works at another conversation. */
  readonly ended: Promise<OwnersEnd>;
}

/**
 * An agent in a terminal, as the session follows it: what it does is read from its own record, and nothing is told to it but
 * answers to what it asks. Its end is the end of its program.
 */
export class TerminalAgent implements RunningAgent {
  /** Undefined for a terminal that is not ours, and for one that ended while no window was there. */
  readonly process: TerminalProcess | undefined;
  readonly events: AsyncIterable<AgentEvent>;
  readonly caughtUp = Promise.resolve();
  /** Where in the record its life in the terminal began. */
  readonly began: OutputPlace & { readonly endedTurn: false };
  readonly nativeId: string | undefined;
  /** Its dialogs; undefined when they are seen in its terminal only. */
  readonly prompts: TerminalPrompts | undefined;
  readonly #record: ConversationRecord;
  readonly #owner: TerminalOwner | undefined;
  readonly #finished = new AbortController();
  #hasMovedOn = false;
  #isLetGo = false;
  #tellsNoMore: () => void = () => undefined;
  /** Settles when it was let go, and all was told that its record says. */
  readonly letGone = new Promise<void>(resolve => (this.#tellsNoMore = resolve));
  /** It has ended, or nobody follows it any more. */
  readonly #over = new Promise<void>(resolve =>
    this.#finished.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  /** Settles when its program has ended. */
  readonly ended: Promise<unknown>;

  /**
   * @param program in a terminal of ours, or somewhere else; without one it has ended already, and what it did is still read
   */
  constructor(
    program: TerminalProcess | TerminalOwner | undefined,
    { record, nativeId, from, prompts }: TerminalConversation,
  ) {
    const isOurs = program !== undefined && 'exited' in program;
    this.process = isOurs ? program : undefined;
    this.#owner = isOurs ? undefined : program;
    this.prompts = prompts;
    this.began = { source: record.sourceId, end: from, endedTurn: false };
    this.nativeId = nativeId;
    this.#record = record;
    this.events = this.#follow(from);
    this.ended = this.process?.exited ?? this.#owner?.ended ?? Promise.resolve();
    void this.ended.then(how => {
      this.#hasMovedOn = how === 'moved_on';
      this.#finished.abort();
    });
  }

  /** Whoever had it elsewhere went on with something else, in the same terminal. */
  get hasMovedOn(): boolean {
    return this.#hasMovedOn;
  }

  get pid(): number {
    return this.process?.pid ?? this.#owner?.pid ?? 0;
  }

  get sourceId(): string {
    return this.#record.sourceId;
  }

  /** Nothing has been said in it. */
  get isEmpty(): boolean {
    return this.#record.end === 0 || this.#record.isEmpty === true;
  }

  /** Somebody has it in a terminal that is not ours. */
  get isForeign(): boolean {
    return this.process === undefined;
  }

  send(): void {
    // Prompts wait until the terminal's program has ended: whoever sits there is the one writer.
  }

  interrupt(): void {
    // A dialog passes over keys when it has just come, and takes some for itself.
    if (this.prompts?.interrupt() !== true) this.process?.interrupt();
  }

  respondPermission(id: BlockId, optionId: string): void {
    this.prompts?.respondPermission(id, optionId);
  }

  answerQuestion(id: BlockId, answer: QuestionAnswer | undefined): void {
    this.prompts?.answerQuestion(id, answer);
  }

  acknowledge(): void {
    // The record is the agent's own, and stays.
  }

  /** Ends a program of ours. One that is not ours goes on, and is not followed any more. */
  stop(): void {
    if (this.process !== undefined) {
      this.process.end();
      return;
    }
    this.prompts?.dispose();
    this.#finished.abort();
  }

  /** Its program works at another conversation now: what its record says yet is told, and nothing after it. */
  letGo(): void {
    this.#isLetGo = true;
    this.#finished.abort();
    this.prompts?.dispose();
  }

  dispose(): void {
    this.#finished.abort();
    this.prompts?.dispose();
    this.process?.dispose();
  }

  async *#follow(from: number): AsyncGenerator<AgentEvent, void, void> {
    yield* this.#record.follow(from, this.#finished.signal);
    // A record that cannot be read any more does not mean that nobody writes.
    await this.#over;
    if (this.#isLetGo) {
      // What runs is left behind with the conversation.
      yield { type: 'turn_end', reason: 'interrupted' };
      this.#tellsNoMore();
    } else yield { type: 'exit', expected: true, detail: '' };
  }
}
