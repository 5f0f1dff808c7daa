import type { Block } from '../../../core/protocol/block/block.ts';
import type { UserEchoBlock } from '../../../core/protocol/block/textBlocks.ts';
import type { SessionMode } from '../../../src/session/approval/sessionMode.ts';

/** A prompt that a surface was told is accepted, and what it was told of it since. */
export class AcceptedPrompt {
  readonly id: string;
  /** Its first words. */
  readonly said: string;
  /** Words that it had before somebody was told that it has others. */
  readonly former: string[] = [];
  /** Prompts from before it that it may go ahead of. */
  readonly overtakes = new Set<string>();
  /** Prompts that it goes ahead of. */
  readonly precedes = new Set<string>();
  /** What somebody was told became of it: taken back while it waited, or put away when it was not delivered. */
  fate: 'taken back' | 'put away' | undefined;
  /** The machine's record lost its unflushed end since: what the agent had taken may read as not delivered. */
  isDoubtful = false;
  #text: string;

  constructor(id: string, text: string) {
    this.id = id;
    this.said = text;
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }

  edit(text: string): void {
    this.former.push(this.#text);
    this.#text = text;
  }
}

/** What must hold, in the smallest form that can be said. */
export class SessionReference {
  /** In the order in which they were accepted. */
  readonly accepted: AcceptedPrompt[] = [];
  /** What somebody allowed, as it was shown to them. */
  readonly allowed: { readonly id: string; readonly input: string }[] = [];
  /** What somebody answered a question with. */
  readonly replied: { readonly id: string; readonly option: string }[] = [];
  readonly typedAtTheDesk: string[] = [];
  /** What waited when a turn was stopped: nothing of it goes by itself. */
  readonly stopped = new Set<string>();
  /** What was moved before others that waited. */
  readonly #moved = new Set<string>();
  /** How freely the agent acts, as the last one was told who changed it. */
  mode: SessionMode = 'ask';

  /** @param waiting what waits at that time */
  moveToFront(prompt: AcceptedPrompt, waiting: readonly UserEchoBlock[]): void {
    this.#moved.add(prompt.id);
    for (const other of this.accepted) other.precedes.delete(prompt.id);
    for (const { client_msg_id: id } of waiting) {
      if (id === prompt.id) continue;
      prompt.overtakes.add(id);
      if (!this.#moved.has(id)) prompt.precedes.add(id);
    }
  }
}

/** The newest word on each prompt. */
export function echoesOf(blocks: readonly Block[]): ReadonlyMap<string, UserEchoBlock> {
  return new Map(
    blocks.flatMap(block => (block.type === 'user_echo' ? [[block.client_msg_id, block] as const] : [])),
  );
}
