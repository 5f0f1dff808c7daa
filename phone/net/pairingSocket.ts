import { AsyncQueue } from '../../core/base/asyncQueue.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import { limits } from '../../core/protocol/limits.ts';
import { messageFormat, parseJson } from '../../core/protocol/parseJson.ts';
import { toApp, type FromApp, type ToApp } from '../../core/protocol/relayFrame.ts';
import { RelaySocket } from './relaySocket.ts';

const format = messageFormat(toApp);
const queuedFrames = 16;

type PairingFrame = Extract<ToApp, { type: 'session_accept' | 'block' | 'error' }>;

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
        text(text) {
          const parsed = parseJson(text, format, limits.frameBytes);
          if (!parsed.ok) return;
          const frame = parsed.value;
          switch (frame.type) {
            case 'challenge':
              socket.send(JSON.stringify({ type: 'client_hello', v: 1, pair_ticket: ticket }));
              return;
            case 'relay_status':
              resolve(new PairingSocket(socket, queue[Symbol.asyncIterator]()));
              return;
            case 'bridge_gone':
              end();
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

  send(frame: FromApp): void {
    this.#socket.send(JSON.stringify(frame));
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
