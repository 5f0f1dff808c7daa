import type { PhoneSession } from '../../../phone/state/phoneSession.ts';

/** How long things took, in milliseconds. */
export class Delays {
  /** When each thing was first shown on the phone, in Unix milliseconds, by the id that Claude Code gave it. */
  readonly #shownAt = new Map<string, number>();
  #writtenAt: ReadonlyMap<string, number> = new Map();
  /** From the phone's answer to what it answered having happened. */
  readonly answers: number[] = [];

  /** @returns stops it */
  note(session: PhoneSession): () => void {
    return session.conversation.subscribe(({ order, entries, results }) => {
      const now = Date.now();
      for (const id of order) {
        const entry = entries.get(id);
        const isCall = entry?.type === 'tool_call';
        // The machine puts a word before the id that a prompt of the desk has.
        const own = entry?.type === 'user_echo' ? entry.client_msg_id.slice(-36) : id;
        if ((isCall || entry?.type === 'user_echo') && !this.#shownAt.has(own)) this.#shownAt.set(own, now);
        const result = isCall ? results.get(id) : undefined;
        if (result !== undefined && !this.#shownAt.has(result.id)) this.#shownAt.set(result.id, now);
      }
    });
  }

  /** From when Claude Code wrote each thing to when the phone had it. */
  get mirrored(): readonly number[] {
    return [...this.#writtenAt].flatMap(([id, at]) => {
      const shownAt = this.#shownAt.get(id);
      return shownAt === undefined ? [] : [shownAt - at];
    });
  }

  /** @param writtenAt by the same ids, in Unix milliseconds */
  take(writtenAt: ReadonlyMap<string, number>): void {
    this.#writtenAt = writtenAt;
  }
}

/** @param part from 0 to 1 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
