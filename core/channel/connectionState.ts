import { fullJitterDelay, type BackoffLimits } from '../base/backoff.ts';
import { unreachable } from '../base/unreachable.ts';
import { closeCode } from '../protocol/closeCode.ts';

/** Why a connection is not tried again by itself. */
export type StopReason = 'stopped' | 'unauthorized' | 'revoked' | 'replaced' | 'incompatible_version';

export type ConnectionState =
  | { readonly phase: 'stopped'; readonly reason: StopReason }
  /** A socket is being opened, and who we are is being proven. */
  | { readonly phase: 'connecting'; readonly attempt: number }
  | { readonly phase: 'online' }
  | { readonly phase: 'waiting'; readonly attempt: number; readonly delayMs: number };

export type ConnectionAction =
  | { readonly type: 'start' }
  /** The relay accepted us. */
  | { readonly type: 'accepted' }
  /** The socket is gone; `code` is its close code, 1006 when there was none. `unit` is random in [0, 1). */
  | { readonly type: 'closed'; readonly code: number; readonly unit: number; readonly retryAfterMs?: number }
  /** The wait is over, or something says that the network is back. */
  | { readonly type: 'retry' }
  | { readonly type: 'stop' };

const backoff: BackoffLimits = { baseMs: 500, capMs: 30_000 };

export const initialConnectionState: ConnectionState = { phase: 'stopped', reason: 'stopped' };

/** The life of a connection to a relay, the same for bridges and phones. Timers and sockets are the caller's. */
export function reduceConnection(state: ConnectionState, action: ConnectionAction): ConnectionState {
  switch (action.type) {
    case 'start':
      return state.phase === 'stopped' ? { phase: 'connecting', attempt: 0 } : state;
    case 'accepted':
      return state.phase === 'connecting' ? { phase: 'online' } : state;
    case 'closed': {
      if (state.phase === 'stopped' || state.phase === 'waiting') return state;
      const reason = stopReasonOf(action.code);
      if (reason !== undefined) return { phase: 'stopped', reason };
      const attempt = state.phase === 'connecting' ? state.attempt + 1 : 0;
      const delayMs = fullJitterDelay(attempt, action.unit, backoff);
      return { phase: 'waiting', attempt, delayMs: Math.max(delayMs, action.retryAfterMs ?? 0) };
    }
    case 'retry':
      return state.phase === 'waiting' ? { phase: 'connecting', attempt: state.attempt } : state;
    case 'stop':
      return { phase: 'stopped', reason: 'stopped' };
  }
  return unreachable(action);
}

function stopReasonOf(code: number): StopReason | undefined {
  switch (code) {
    case closeCode.unauthorized:
      return 'unauthorized';
    case closeCode.revoked:
      return 'revoked';
    case closeCode.replaced:
      return 'replaced';
    case closeCode.incompatible_version:
      return 'incompatible_version';
  }
  return undefined;
}
