/** What has passed the sockets to one place, as the program that opened them saw it. */
export interface FrameCount {
  sent: number;
  received: number;
  /** Length of the newest frame: bytes, or characters, which are bytes here. */
  lastSentBytes: number;
  lastReceivedBytes: number;
}

const PlainWebSocket = globalThis.WebSocket;

/** From now on counts the frames of every socket that this process opens to `host` (name and port). */
export function countFrames(host: string): FrameCount {
  const count: FrameCount = { sent: 0, received: 0, lastSentBytes: 0, lastReceivedBytes: 0 };
  globalThis.WebSocket = class extends PlainWebSocket {
    readonly #counts: boolean;

    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.#counts = new URL(url).host === host;
      if (!this.#counts) return;
      this.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        count.received += 1;
        count.lastReceivedBytes = lengthOf(data);
      });
    }

    override send(data: string | BufferSource | Blob): void {
      if (this.#counts) {
        count.sent += 1;
        count.lastSentBytes = lengthOf(data);
      }
      super.send(data);
    }
  };
  return count;
}

function lengthOf(data: unknown): number {
  if (typeof data === 'string') return data.length;
  return data instanceof ArrayBuffer || ArrayBuffer.isView(data) ? data.byteLength : 0;
}
