import type { Duplex } from 'node:stream';
import type { LinkDhKey } from '../../core/crypto/linkPort.ts';
import { closeCode, type CloseReason } from '../../core/protocol/closeCode.ts';
import { encodingOf, type Encoding } from '../../core/protocol/envelope/subprotocol.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { TokenBucket, type Rate } from '../limits/tokenBucket.ts';
import { relayLimits } from '../limits/relayLimits.ts';
import { encodeFrame, type PlainFrame } from '../routing/encodeFrame.ts';
import type { Endpoint, Link } from '../routing/link.ts';
import type { PeerSocket } from './peerSocket.ts';
import type { WriteBatch } from './writeBatch.ts';

/** The challenge that a peer has to answer. */
export interface Greeting {
  /** 32 bytes. */
  readonly nonce: Uint8Array;
  readonly key: LinkDhKey;
}

/** Who the peer is, as far as it is known. `checking`: its hello is being looked up. */
export type PeerState =
  | { readonly kind: 'stranger'; readonly greeting: Greeting }
  | { readonly kind: 'checking' }
  | { readonly kind: 'ended' }
  | Link;

/** What all peers share. */
export interface PeerHost {
  readonly batch: WriteBatch;
  received(peer: Peer, data: Buffer, isBinary: boolean): void;
  /** A sign of life. */
  heard(peer: Peer): void;
  /** The peer said who it is. */
  known(peer: Peer): void;
  /** Called once, when the peer is ended or its socket is gone. */
  left(peer: Peer, before: PeerState, reason: CloseReason | 'gone'): void;
  /** A frame was not sent, for its own schema refuses it. */
  invalid(peer: Peer, type: PlainFrame['type']): void;
  /** The socket is gone, and nothing more will come. */
  closed(peer: Peer): void;
}

/** Where a socket comes from, kept for signatures and limits. */
export interface PeerSource {
  readonly address: string;
  /** The Host header. */
  readonly host: string | undefined;
}

/** One socket: state of constant size, no timer, no closure. Times are monotonic milliseconds. */
export class Peer implements Endpoint {
  readonly connId: string;
  readonly encoding: Encoding;
  readonly source: PeerSource;
  readonly #host: PeerHost;
  readonly #socket: PeerSocket;
  readonly #stream: Duplex;
  #bucket: TokenBucket | undefined;
  #state: PeerState;
  /** When something last came in, and when we last asked. */
  heardAt: number;
  askedAt: number;
  /** When the peer is ended whatever it does: a stranger's and a pairing phone's time is bounded. */
  endsAt: number;

  constructor(
    connId: string,
    source: PeerSource,
    socket: PeerSocket,
    stream: Duplex,
    host: PeerHost,
    first: { readonly greeting: Greeting; readonly now: number; readonly endsAt: number },
  ) {
    this.connId = connId;
    this.encoding = encodingOf(socket.protocol);
    this.source = source;
    this.#socket = socket;
    this.#stream = stream;
    this.#host = host;
    this.#state = { kind: 'stranger', greeting: first.greeting };
    this.heardAt = first.now;
    this.askedAt = first.now;
    this.endsAt = first.endsAt;
  }

  get state(): PeerState {
    return this.#state;
  }

  receive(data: Buffer, isBinary: boolean): void {
    this.#host.received(this, data, isBinary);
  }

  signOfLife(): void {
    this.#host.heard(this);
  }

  /** Its hello is being looked up: nothing may come meanwhile. */
  startChecking(): void {
    if (this.#state.kind === 'stranger') this.#state = { kind: 'checking' };
  }

  /** @param endsAt when its time is over, in monotonic milliseconds */
  become(link: Link, endsAt: number): void {
    if (this.#state.kind === 'ended') return;
    this.#state = link;
    this.endsAt = endsAt;
    this.#host.known(this);
  }

  send(message: string | Uint8Array): void {
    if (this.#state.kind === 'ended') return;
    if (this.#socket.bufferedAmount + message.length > relayLimits.queuedBytes) {
      this.refuse('slow_consumer', 'slow_consumer');
      return;
    }
    this.#write(message);
  }

  tell(frame: PlainFrame): void {
    const text = encodeFrame(frame);
    if (text === undefined) this.#host.invalid(this, frame.type);
    else this.send(text);
  }

  end(reason: CloseReason): void {
    if (!this.#leave(reason)) return;
    this.#socket.close(closeCode[reason], reason);
    // One that was told to slow down must still take part in closing.
    this.#socket.resume();
  }

  /** Says why in an error frame, and after how many seconds another try makes sense; then closes. */
  refuse(code: ErrorCode, reason: CloseReason, message = 'this connection ends here'): void {
    if (this.#state.kind === 'ended') return;
    const wait = code === 'rate_limited' ? { retry_after_s: relayLimits.restSeconds } : {};
    const text = encodeFrame({ type: 'error', code, message, ...wait });
    if (text !== undefined) this.#write(text);
    this.end(reason);
  }

  /** The socket closed, from whichever side. */
  gone(): void {
    this.#leave('gone');
    this.#host.closed(this);
  }

  /** Drops the socket without asking. */
  terminate(): void {
    this.#leave('gone');
    this.#socket.terminate();
    this.#host.closed(this);
  }

  ping(): void {
    if (this.#state.kind !== 'ended') this.#socket.ping();
  }

  /** Counts one frame. @returns whether the peer is within `rate` */
  count(rate: Rate, now: number): boolean {
    this.#bucket ??= new TokenBucket(rate, now);
    return this.#bucket.take(rate, now);
  }

  pause(): void {
    this.#socket.pause();
  }

  /** Reads on when the peer has rested. @returns whether it does */
  resumeWhenRested(rate: Rate, now: number): boolean {
    if (this.#state.kind !== 'ended' && this.#bucket?.isRested(rate, now) === false) return false;
    this.#socket.resume();
    return true;
  }

  #write(message: string | Uint8Array): void {
    this.#host.batch.hold(this.#stream);
    this.#socket.send(message);
  }

  #leave(reason: CloseReason | 'gone'): boolean {
    const before = this.#state;
    if (before.kind === 'ended') return false;
    this.#state = { kind: 'ended' };
    this.#host.left(this, before, reason);
    return true;
  }
}
