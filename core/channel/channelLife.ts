import { fullJitterDelay } from '../base/backoff.ts';
import { unreachable } from '../base/unreachable.ts';
import type { ErrorCode } from '../protocol/errorCode.ts';

/** How long the other side may take to answer a handshake. */
export const acceptTimeoutMs = 10_000;
/** Two heartbeats and a little: after this, silence means that nobody knows (protocol.md 2.5). */
export const staleMs = 45_000;
/** A refusal is not asked about again at once: from here the wait is up to the longest. */
const refusedAttempt = 6;
const backoff = { baseMs: 400, capMs: 15_000 };

/** A reader's way to one session, from no way at all to one that is known to be live. */
export type ChannelLife =
  /** No way to the window now. */
  | { readonly phase: 'offline' }
  /** A handshake is under way. */
  | { readonly phase: 'opening'; readonly attempt: number }
  /** The next handshake comes after `delayMs`; `code` when the last one was refused by somebody who need not tell the truth. */
  | {
      readonly phase: 'waiting';
      readonly attempt: number;
      readonly delayMs: number;
      readonly code: ErrorCode | undefined;
    }
  /** `stale`: nothing verified came for a while, so nothing that is shown counts as the present. */
  | { readonly phase: 'open'; readonly attempt: number; readonly stale: boolean }
  /** It will not get better by itself. */
  | { readonly phase: 'refused'; readonly code: ErrorCode };

/** `unit` is random in [0, 1). */
export type ChannelAction =
  | { readonly type: 'reachable' }
  | { readonly type: 'unreachable' }
  /** The handshake is finished: the other side holds the keys that it should. */
  | { readonly type: 'opened' }
  /** A frame came that this channel's keys and counter vouch for. */
  | { readonly type: 'verified' }
  /** The phase took longer than its deadline. */
  | { readonly type: 'expired'; readonly unit: number }
  /** A frame did not fit, the other side knows nothing of us, or the reader wants to start over. */
  | { readonly type: 'broken'; readonly unit: number }
  /** The other side does not know the key that the handshake was made with, and there is another one to come with. */
  | { readonly type: 'other_key' }
  /** The relay says no. Nobody vouches for its word, so it is asked again, later. */
  | { readonly type: 'doubted'; readonly code: ErrorCode; readonly unit: number }
  /** The other side itself says no, or failed to prove who it is. */
  | { readonly type: 'refused'; readonly code: ErrorCode };

export const initialChannelLife: ChannelLife = { phase: 'offline' };

/** Decides what a channel does next. Sockets, keys and timers are the caller's. */
export function reduceChannelLife(life: ChannelLife, action: ChannelAction): ChannelLife {
  switch (action.type) {
    case 'reachable':
      return life.phase === 'offline' ? { phase: 'opening', attempt: 0 } : life;
    case 'unreachable':
      return life.phase === 'offline' ? life : { phase: 'offline' };
    case 'opened':
      return life.phase === 'opening' ? { phase: 'open', attempt: life.attempt, stale: false } : life;
    case 'verified':
      // Only this shows that the channel works: until then the waits go on growing.
      if (life.phase !== 'open' && life.phase !== 'opening') return life;
      if (life.phase === 'open' && life.attempt === 0 && !life.stale) return life;
      return { phase: 'open', attempt: 0, stale: false };
    case 'expired':
      return expire(life, action.unit);
    case 'broken':
      return wait(life, action.unit, undefined);
    case 'other_key':
      // At once, and not shown: this is still the same try.
      return life.phase === 'opening' ? { ...life } : life;
    case 'doubted':
      return wait(life, action.unit, action.code);
    case 'refused':
      return life.phase === 'offline' ? life : { phase: 'refused', code: action.code };
  }
  return unreachable(action);
}

/** @returns milliseconds after which the phase has `expired`, counted anew at each `verified`; undefined: it may last */
export function deadlineOf(life: ChannelLife): number | undefined {
  switch (life.phase) {
    case 'opening':
      return acceptTimeoutMs;
    case 'waiting':
      return life.delayMs;
    case 'open':
      return life.stale ? undefined : staleMs;
    case 'offline':
    case 'refused':
      return undefined;
  }
  return unreachable(life);
}

function expire(life: ChannelLife, unit: number): ChannelLife {
  switch (life.phase) {
    case 'opening':
      return wait(life, unit, undefined);
    case 'waiting':
      return { phase: 'opening', attempt: life.attempt };
    case 'open':
      return { ...life, stale: true };
    case 'offline':
    case 'refused':
      return life;
  }
  return unreachable(life);
}

function wait(life: ChannelLife, unit: number, code: ErrorCode | undefined): ChannelLife {
  if (life.phase === 'offline') return life;
  const before = life.phase === 'refused' ? 0 : life.attempt;
  const attempt = code === undefined ? before : Math.max(before, refusedAttempt);
  return { phase: 'waiting', attempt: attempt + 1, delayMs: fullJitterDelay(attempt, unit, backoff), code };
}
