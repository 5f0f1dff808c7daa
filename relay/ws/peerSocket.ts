import { WebSocket } from 'ws';
import { closeCode, type CloseReason } from '../../core/protocol/closeCode.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';

/** RFC 6455: message too big. The library closes with it by itself. */
const MESSAGE_TOO_BIG = 1009;

/** What a socket tells of itself. */
export interface SocketOwner {
  receive(data: Buffer, isBinary: boolean): void;
  signOfLife(): void;
  gone(): void;
  refuse(code: ErrorCode, reason: CloseReason): void;
}

/** A server-side socket that knows its peer, so that all sockets share one set of handlers. */
export class PeerSocket extends WebSocket {
  peer: SocketOwner | undefined;

  override close(code?: number, data?: string | Buffer): void {
    if (code === MESSAGE_TOO_BIG) this.peer?.refuse('frame_too_large', 'frame_too_large');
    super.close(code === MESSAGE_TOO_BIG ? closeCode.frame_too_large : code, data);
  }
}
