import type { BlockId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';
import type { AgentEvent } from '../agent.ts';
import { agentBlockId } from './agentBlockId.ts';
import { cutText } from '../../../core/base/cutText.ts';

/**
 * A text that comes in pieces. What does not fit one block goes on in the next, whose id has a number: `x`, `x.2`, `x.3`.
 * Each block that was begun is ended once with `done: true`.
 */
export class GrowingText {
  readonly role: 'text' | 'thinking';
  readonly #id: string;
  readonly #of: { readonly parent_id?: BlockId };
  #part = 1;
  /** UTF-16 units in parts that are done. */
  #finished = 0;
  #text = '';
  #isShown = false;

  /** @param parent the sub-agent that says it */
  constructor(role: 'text' | 'thinking', id: string, parent?: BlockId) {
    this.role = role;
    this.#id = id;
    this.#of = parent === undefined ? {} : { parent_id: parent };
  }

  append(piece: string): readonly AgentEvent[] {
    this.#text += piece;
    const events = this.#finishFullParts();
    const shown = cutText(this.#text, this.#text.length);
    if (shown === '') return events;
    this.#isShown = true;
    return [...events, this.#block(shown, false)];
  }

  /** @param whole the full text in its final form, if it is known: parts that are done stay as they are */
  finish(whole?: string): readonly AgentEvent[] {
    if (whole !== undefined) this.#text = whole.slice(this.#finished);
    const events = this.#finishFullParts();
    if (this.#text === '' && !this.#isShown) return events;
    return [...events, this.#block(this.#text, true)];
  }

  #finishFullParts(): AgentEvent[] {
    const events: AgentEvent[] = [];
    while (this.#text.length > limits.textChars) {
      const text = cutText(this.#text, limits.textChars);
      events.push(this.#block(text, true));
      this.#finished += text.length;
      this.#text = this.#text.slice(text.length);
      this.#part += 1;
      this.#isShown = false;
    }
    return events;
  }

  #block(text: string, done: boolean): AgentEvent {
    const id = agentBlockId(this.#part === 1 ? this.#id : `${this.#id}.${String(this.#part)}`);
    return { type: 'block', block: { type: this.role, ...this.#of, id, text, done } };
  }
}
