import type { AgentEvent } from '../agent.ts';
import type { ContentBlock, StreamEvent } from './claudeFrame.ts';
import { GrowingText } from './growingText.ts';

type Role = GrowingText['role'];

/**
 * Texts and thinking of the main conversation. With partial messages each block is streamed, and said again whole in an
 * `assistant` frame, before or after its end: the stream gives the id (message and index), whichever comes first ends the
 * block, and the other is passed over.
 */
export class MessageTexts {
  /** The message that is streamed. */
  #message: string | undefined;
  #open: GrowingText | undefined;
  /** Blocks of this message that the stream has ended and no `assistant` frame has said yet. */
  #unsaid: Role[] = [];

  /** Between two messages: what comes next needs nothing of what was. */
  get isSettled(): boolean {
    return this.#message === undefined;
  }

  stream(event: StreamEvent['event']): readonly AgentEvent[] {
    switch (event.type) {
      case 'message_start': {
        const events = this.finish();
        this.#message = event.message?.id;
        return events;
      }
      case 'content_block_start':
        return this.#begin(event);
      case 'content_block_delta':
        return this.#open?.append(event.delta?.text ?? event.delta?.thinking ?? '') ?? [];
      case 'content_block_stop':
        if (this.#open) this.#unsaid.push(this.#open.role);
        return this.#end();
      case 'message_stop':
        return this.finish();
    }
    return [];
  }

  /** @param fallbackId names the block when it was not streamed */
  say(message: string, block: ContentBlock, fallbackId: string): readonly AgentEvent[] {
    const role = block.type === 'text' || block.type === 'thinking' ? block.type : undefined;
    if (role === undefined) return [];
    const text = (role === 'text' ? block.text : block.thinking) ?? '';
    if (message === this.#message) {
      if (this.#open?.role === role) return this.#end(text);
      const index = this.#unsaid.indexOf(role);
      this.#unsaid.splice(0, index + 1);
      if (index >= 0) return [];
    }
    return new GrowingText(role, fallbackId).finish(text);
  }

  /** Ends what is open, as it is. */
  finish(): readonly AgentEvent[] {
    const events = this.#end();
    this.#message = undefined;
    this.#unsaid = [];
    return events;
  }

  #begin(event: StreamEvent['event']): readonly AgentEvent[] {
    const events = this.#end();
    const block = event.content_block;
    if (this.#message === undefined || event.index === undefined || block === undefined) return events;
    if (block.type !== 'text' && block.type !== 'thinking') return events;
    this.#open = new GrowingText(block.type, `${this.#message}.${String(event.index)}`);
    const first = (block.type === 'text' ? block.text : block.thinking) ?? '';
    return first === '' ? events : [...events, ...this.#open.append(first)];
  }

  #end(whole?: string): readonly AgentEvent[] {
    const open = this.#open;
    this.#open = undefined;
    return open?.finish(whole) ?? [];
  }
}
