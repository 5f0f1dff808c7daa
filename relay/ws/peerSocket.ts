import { WebSocket } from 'ws';
import { closeCode } from '../../core/protocol/closeCode.ts';
import type { Peer } from './peer.ts';

/** RFC 6455: message too big. The library closes with it by itself. */
const MESSAGE_TOO_BIG = 1009;

/** A server-side socket that knows its peer, so that all sockets share one set of handlers. */
export class PeerSocket extends WebSocket {
  peer: Peer | undefined;

  override close(code?: number, data?: string | Buffer): void {
    if (code === MESSAGE_TOO_BIG) this.peer?.refuse('frame_too_large', 'frame_too_large');
    super.close(code === MESSAGE_TOO_BIG ? closeCode.frame_too_large : code, data);
  }
}
