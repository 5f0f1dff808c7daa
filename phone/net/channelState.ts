import { unreachable } from '../../core/base/unreachable.ts';
import type { ChannelLife } from '../../core/channel/channelLife.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';

/** A channel as it is shown. */
export type ChannelState =
  /** No way to the window now. */
  | { readonly phase: 'offline' }
  | { readonly phase: 'opening' }
  | { readonly phase: 'open'; readonly stale: boolean }
  /** The window or the relay says no; a relay's word is tried again meanwhile. */
  | { readonly phase: 'refused'; readonly code: ErrorCode };

export function channelStateOf(life: ChannelLife): ChannelState {
  switch (life.phase) {
    case 'offline':
    case 'refused':
      return life;
    case 'opening':
      return { phase: 'opening' };
    case 'waiting':
      return life.code === undefined ? { phase: 'opening' } : { phase: 'refused', code: life.code };
    case 'open':
      return { phase: 'open', stale: life.stale };
  }
  return unreachable(life);
}
