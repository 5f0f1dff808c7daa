import { AsyncQueue } from '../../core/base/asyncQueue.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import { encodeMessage, type FromAppMessage, type ToAppMessage } from '../../core/channel/relayMessage.ts';
import { parseToApp } from './parseToApp.ts';
import { RelaySocket } from './relaySocket.ts';

const queuedFrames = 16;

type PairingFrame = Extract<ToAppMessage, { type: 'session_accept' | 'block' | 'error' }>;

/** A socket that may only pair. It is used for one attempt and never comes back by itself. */
export class PairingSocket implements Disposable {
  readonly #socket: RelaySocket;
  readonly #frames: AsyncIterator<PairingFrame>;

  private constructor(socket: RelaySocket, frames: AsyncIterator<PairingFrame>) {
    this.#socket = socket;
    this.#frames = frames;
  }

  /** @returns undefined when the relay cannot be reached, refuses the ticket, or `signal` aborts */
  static open(url: string, ticket: string, signal: AbortSignal): Promise<PairingSocket | undefined> {
    return new Promise(resolve => {
      const queue = new AsyncQueue<PairingFrame>(queuedFrames);
      const end = (): void => {
        queue.close();
        resolve(undefined);
      };
      const socket = new RelaySocket(url, {
        closed: end,
        message(message) {
          const frame = parseToApp(message, socket.encoding);
          if (frame === undefined) return;
          switch (frame.type) {
            case 'challenge': {
              const hello = { type: 'client_hello', v: 1, pair_ticket: ticket } as const;
              const encoded = encodeMessage(hello, socket.encoding);
              if (encoded === undefined) end();
              else socket.send(encoded);
              return;
            }
            case 'relay_status':
              resolve(new PairingSocket(socket, queue[Symbol.asyncIterator]()));
              return;
            case 'bridge_gone':
              end();
              return;
            // The close that follows ends it.
            case 'bye':
              return;
            case 'session_accept':
            case 'block':
            case 'error':
              // A pairing is a handful of frames; a relay that floods us ends it.
              if (!queue.push(frame)) end();
              return;
          }
        },
      });
      signal.addEventListener(
        'abort',
        () => {
          socket.dispose();
          end();
        },
        { once: true },
      );
    });
  }

  send(message: FromAppMessage): void {
    const encoded = encodeMessage(message, this.#socket.encoding);
    if (encoded !== undefined) this.#socket.send(encoded);
  }

  /** @returns undefined when the socket has ended */
  async next(): Promise<PairingFrame | undefined> {
    const result = await this.#frames.next();
    return result.done === true ? undefined : result.value;
  }

  dispose(): void {
    this.#socket.dispose();
  }
}
