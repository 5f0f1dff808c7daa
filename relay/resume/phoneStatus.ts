import type { Clock } from '../../core/base/clock.ts';
import type { SessionId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import { relayLimits } from '../limits/relayLimits.ts';
import type { PhoneLink } from '../routing/link.ts';
import type { ResumePermits } from './resumePermits.ts';

/** What a status is made of, asked at the moment it is made. */
export interface StatusSource {
  readonly clock: Clock;
  readonly permits: ResumePermits;
  /** The newest sessions of the phone's bridge, oldest first, at most `resumableSessions`. */
  resumable(): readonly SessionId[];
  /** Takes one of the signatures that this bridge's phones may cost us now. */
  maySign(): boolean;
  send(resumeTokens: Readonly<Record<string, string>>): void;
}

/**
 * Tells one phone what is there. A status carries the permits that this connection has not carried yet or that are half
 * over, and no others: so a status costs no more than what is new, however often windows come and go. A phone adds them
 * to those it has.
 */
export class PhoneStatus {
  readonly #link: PhoneLink;
  readonly #source: StatusSource;
  /** When a permit is due again, in milliseconds since the epoch; the oldest are forgotten first. */
  readonly #due = new Map<SessionId, number>();
  #isTelling = false;
  #isBehind = false;

  constructor(link: PhoneLink, source: StatusSource) {
    this.#link = link;
    this.#source = source;
  }

  /** Something changed. What changes while permits are signed is told by the status after. */
  tell(): void {
    this.#isBehind = true;
    if (!this.#isTelling) void this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    this.#isTelling = true;
    while (this.#isBehind) {
      this.#isBehind = false;
      const now = this.#source.clock.now();
      const wanted = this.#wanted(now);
      // With nothing to sign, a status goes out at once. A signature that cannot be had keeps nobody from the rest of it.
      const tokens = wanted.length === 0 ? {} : await this.#sign(wanted, now).catch(() => ({}));
      this.#source.send(tokens);
    }
    this.#isTelling = false;
  }

  async #sign(sessions: readonly SessionId[], now: number): Promise<Readonly<Record<string, string>>> {
    const { permits } = this.#source;
    const signed = await Promise.all(
      sessions.map(async session => [session, await permits.issue(this.#link, session)] as const),
    );
    const fitting: [SessionId, string][] = [];
    let room = limits.frameBytes - relayLimits.statusBytes;
    for (const [session, token] of signed) {
      // Quotes, colon and comma.
      room -= session.length + token.length + 6;
      if (room < 0) {
        this.#isBehind = true;
        break;
      }
      fitting.push([session, token]);
      this.#remember(session, now + limits.resumeTokenMs / 2);
    }
    return Object.fromEntries(fitting);
  }

  /** What is due and may be signed now. Without a permit a phone asks by session_request, so nothing waits for the rest. */
  #wanted(now: number): readonly SessionId[] {
    const due = this.#source.resumable().filter(session => (this.#due.get(session) ?? now) <= now);
    let count = 0;
    while (count < due.length && this.#source.maySign()) count += 1;
    return due.slice(due.length - count);
  }

  #remember(session: SessionId, dueAt: number): void {
    this.#due.set(session, dueAt);
    const oldest = this.#due.keys().next();
    if (this.#due.size > limits.resumableSessions && oldest.done !== true) this.#due.delete(oldest.value);
  }
}
