import { WebSocket } from 'ws';
import type { Disposable } from '../../core/base/disposable.ts';
import type { Clock } from '../../core/base/clock.ts';
import { encodingOf, offeredSubprotocols, type Encoding } from '../../core/protocol/envelope/subprotocol.ts';
import { limits } from '../../core/protocol/limits.ts';

const closeGraceMs = 2_000;

export interface RelaySocketEvents {
  readonly message: (message: string | Uint8Array) => void;
  /** Called once, with the close code; 1006 when there was none. */
  readonly closed: (code: number) => void;
}

/** One WebSocket to a relay. It ends itself when nothing, not even a ping, has come for too long. */
export class RelaySocket implements Disposable {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #onIdle: () => void;
  #idle: Disposable | undefined;

  constructor(url: string, clock: Clock, events: RelaySocketEvents) {
    this.#clock = clock;
    this.#socket = new WebSocket(url, [...offeredSubprotocols], {
      perMessageDeflate: false,
      maxPayload: limits.frameBytes,
      handshakeTimeout: limits.helloTimeoutMs,
    });
    this.#onIdle = () => this.#socket.terminate();
    this.#socket.on('message', (data, isBinary) => {
      this.#touch();
      if (Buffer.isBuffer(data)) events.message(isBinary ? data : data.toString('utf8'));
    });
    this.#socket.on('ping', () => this.#touch());
    // Every error is followed by close, which says it all.
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', code => {
      this.#idle?.dispose();
      events.closed(code);
    });
    this.#touch();
  }

  /** Bytes that wait for the network. */
  get buffered(): number {
    return this.#socket.bufferedAmount;
  }

  /** Which form envelopes have here; settled before the first message comes. */
  get encoding(): Encoding {
    return encodingOf(this.#socket.protocol);
  }

  send(message: string | Uint8Array): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(message);
  }

  dispose(): void {
    this.#idle?.dispose();
    this.#socket.removeAllListeners('message');
    this.#socket.close(1000);
    // A peer that never answers the close must not keep the socket.
    const terminate = this.#clock.after(closeGraceMs, () => this.#socket.terminate());
    this.#socket.once('close', () => terminate.dispose());
  }

  #touch(): void {
    this.#idle?.dispose();
    this.#idle = this.#clock.after(limits.idleCloseMs, this.#onIdle);
  }
}
