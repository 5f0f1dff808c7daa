import { signal, type Signal } from '@preact/signals';
import type { SessionId } from '../../core/protocol/ids.ts';

/** What was typed and not sent, by session, for as long as the page lives. */
export class Drafts {
  readonly #texts = new Map<SessionId, Signal<string>>();

  of(session: SessionId): Signal<string> {
    const known = this.#texts.get(session);
    if (known !== undefined) return known;
    const text = signal('');
    this.#texts.set(session, text);
    return text;
  }
}
