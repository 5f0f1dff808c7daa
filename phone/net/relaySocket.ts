import type { Disposable } from '../../core/base/disposable.ts';
import { encodingOf, offeredSubprotocols, type Encoding } from '../../core/protocol/envelope/subprotocol.ts';
import { limits } from '../../core/protocol/limits.ts';

export interface SocketEvents {
  readonly message: (message: string | Uint8Array) => void;
  /** Called once, with the close code; 1006 when there was none. */
  readonly closed: (code: number) => void;
}

/** One WebSocket of the browser to a relay. */
export class RelaySocket implements Disposable {
  readonly #socket: WebSocket | undefined;
  readonly #events: SocketEvents;
  #over = false;

  constructor(url: string, events: SocketEvents) {
    this.#events = events;
    this.#socket = openSocket(url);
    if (this.#socket === undefined) {
      queueMicrotask(() => this.#end(1006));
      return;
    }
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.onmessage = (event: MessageEvent<unknown>) => {
      const { data } = event;
      const message = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
      if (typeof message !== 'string' && !(message instanceof Uint8Array)) return;
      if (message.length <= limits.frameBytes) events.message(message);
    };
    this.#socket.onclose = event => this.#end(event.code);
  }

  /** Which form envelopes have here; settled before the first message comes. */
  get encoding(): Encoding {
    return encodingOf(this.#socket?.protocol ?? '');
  }

  send(message: string | Uint8Array<ArrayBuffer>): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(message);
  }

  /** Closes without waiting: a half-open network would keep the browser's own close for minutes. */
  dispose(): void {
    this.#over = true;
    if (this.#socket === undefined) return;
    this.#socket.onmessage = null;
    this.#socket.onclose = null;
    this.#socket.close();
  }

  #end(code: number): void {
    if (this.#over) return;
    this.#over = true;
    this.#events.closed(code);
  }
}

/** @returns undefined for an address that the browser refuses, such as ws:// from a page that was loaded securely */
function openSocket(url: string): WebSocket | undefined {
  try {
    return new WebSocket(url, [...offeredSubprotocols]);
  } catch {
    return undefined;
  }
}
