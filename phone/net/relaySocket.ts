import type { Disposable } from '../../core/base/disposable.ts';
import { limits } from '../../core/protocol/limits.ts';

export interface SocketEvents {
  readonly text: (text: string) => void;
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
    this.#socket.onmessage = (event: MessageEvent<unknown>) => {
      if (typeof event.data === 'string' && event.data.length <= limits.frameBytes) events.text(event.data);
    };
    this.#socket.onclose = event => this.#end(event.code);
  }

  send(text: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
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
    return new WebSocket(url, 'terminull.json.v1');
  } catch {
    return undefined;
  }
}
