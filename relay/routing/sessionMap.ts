import type { SessionId } from '../../core/protocol/ids.ts';

/** Which window of one bridge holds which session. A session has one holder, a holder a bounded number of sessions. */
export class SessionMap<Holder extends object> {
  readonly #holders = new Map<SessionId, Holder>();
  readonly #held = new Map<Holder, Set<SessionId>>();
  readonly #most: number;

  /** @param most sessions of one holder */
  constructor(most: number) {
    this.#most = most;
  }

  holderOf(session: SessionId): Holder | undefined {
    return this.#holders.get(session);
  }

  /** Those that were claimed last, oldest first. @param most how many */
  newest(most: number): readonly SessionId[] {
    return [...this.#holders.keys()].slice(-most);
  }

  /** `busy`: another holder has the session; `full`: this one has too many. Claiming again is harmless. */
  claim(session: SessionId, holder: Holder): 'claimed' | 'busy' | 'full' {
    const current = this.#holders.get(session);
    if (current !== undefined) return current === holder ? 'claimed' : 'busy';
    const held = this.#held.get(holder) ?? new Set();
    if (held.size >= this.#most) return 'full';
    this.#held.set(holder, held.add(session));
    this.#holders.set(session, holder);
    return 'claimed';
  }

  /** Only the holder's own word counts. */
  release(session: SessionId, holder: Holder): void {
    if (this.#holders.get(session) !== holder) return;
    this.#holders.delete(session);
    const held = this.#held.get(holder);
    held?.delete(session);
    if (held?.size === 0) this.#held.delete(holder);
  }

  releaseAll(holder: Holder): void {
    for (const session of this.#held.get(holder) ?? []) this.#holders.delete(session);
    this.#held.delete(holder);
  }
}
