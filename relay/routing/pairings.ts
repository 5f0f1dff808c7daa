import { randomBytes } from 'node:crypto';
import type { Clock } from '../../core/base/clock.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { pairId, type BridgeId, type InstanceId, type PairId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import { relayLimits } from '../limits/relayLimits.ts';
import { digestOf, newToken, sameDigest } from './token.ts';

/** A pairing that waits for its phone or for the typed code. */
export interface Pairing {
  readonly pairId: PairId;
  readonly bridgeId: BridgeId;
  readonly instanceId: InstanceId;
}

interface Entry extends Pairing {
  /** Monotonic milliseconds. */
  readonly claimUntil: number;
  confirmUntil: number;
  tries: number;
  ticketDigest: string | undefined;
  phone: 'never' | 'here' | 'gone';
}

/**
 * Pairings under way, in memory only. A code can be claimed for `pairingMs` and `pairingTries` times, since an answer may
 * get lost, but not while a phone holds it; each ticket opens one socket.
 */
export class Pairings {
  readonly #clock: Clock;
  readonly #entries = new Map<PairId, Entry>();
  /** Windows of pairings that are over, oldest first: a late phone is refused, and its window told. */
  readonly #over = new Map<PairId, Pairing>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns the pairing, or `rate_limited` when this bridge or the relay has too many under way */
  start(bridgeId: BridgeId, instanceId: InstanceId): Result<Pairing, 'rate_limited'> {
    const now = this.#clock.monotonic();
    for (const entry of this.#entries.values()) if (now >= entry.confirmUntil) this.#end(entry);
    const own = [...this.#entries.values()].filter(entry => entry.bridgeId === bridgeId);
    if (own.length >= relayLimits.pairingsPerBridge || this.#entries.size >= relayLimits.pairings)
      return fail('rate_limited');
    const entry: Entry = {
      pairId: pairId.parse(randomBytes(16).toString('base64url')),
      bridgeId,
      instanceId,
      claimUntil: now + limits.pairingMs,
      confirmUntil: now + limits.pairingMs,
      tries: 0,
      ticketDigest: undefined,
      phone: 'never',
    };
    this.#entries.set(entry.pairId, entry);
    return ok(entry);
  }

  /** @returns a ticket; nothing when the code is unknown, used, worn out or expired, which look alike */
  claim(id: PairId): string | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined || this.#clock.monotonic() >= entry.claimUntil) return undefined;
    if (entry.phone === 'here' || entry.tries >= relayLimits.pairingTries) return undefined;
    entry.tries += 1;
    const ticket = newToken();
    entry.ticketDigest = digestOf(ticket);
    return ticket;
  }

  /** Exchanges a ticket for its pairing, once. From here the desk has `pairingMs` to type the code. */
  redeem(ticket: string): Pairing | undefined {
    const digest = digestOf(ticket);
    const now = this.#clock.monotonic();
    for (const entry of this.#entries.values()) {
      if (entry.ticketDigest === undefined || !sameDigest(entry.ticketDigest, digest)) continue;
      if (now >= entry.claimUntil) return undefined;
      entry.ticketDigest = undefined;
      entry.phone = 'here';
      entry.confirmUntil = now + limits.pairingMs;
      return entry;
    }
    return undefined;
  }

  /** The pairing's socket is gone. */
  detach(id: PairId): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.phone = 'gone';
  }

  /** A pairing of this bridge that a phone has claimed and whose time is not over. */
  confirmable(bridgeId: BridgeId, id: PairId): Pairing | undefined {
    const entry = this.#entries.get(id);
    if (entry?.bridgeId !== bridgeId || entry.phone === 'never') return undefined;
    return this.#clock.monotonic() < entry.confirmUntil ? entry : undefined;
  }

  /** Ends a pairing. @returns whether this bridge had it */
  remove(bridgeId: BridgeId, id: PairId): boolean {
    const entry = this.#entries.get(id);
    if (entry?.bridgeId !== bridgeId) return false;
    this.#end(entry);
    return true;
  }

  /** The window whose code this once was, whether or not it can still be claimed. */
  windowOf(id: PairId): Pairing | undefined {
    return this.#entries.get(id) ?? this.#over.get(id);
  }

  #end({ pairId: id, bridgeId, instanceId }: Entry): void {
    this.#entries.delete(id);
    this.#over.set(id, { pairId: id, bridgeId, instanceId });
    if (this.#over.size <= relayLimits.pairings) return;
    const oldest = this.#over.keys().next();
    if (oldest.done !== true) this.#over.delete(oldest.value);
  }
}
