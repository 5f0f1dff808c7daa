import assert from 'node:assert/strict';
import { WebSocket, type ClientOptions } from 'ws';
import { subprotocols, type Encoding } from '../../../core/protocol/envelope/subprotocol.ts';
import { challenge, type Challenge } from '../../../core/protocol/relayFrame.ts';
import { fromBytes, isEnvelope, toBytes } from '../../fakes/envelopeBytes.ts';

/** How a socket ended. */
export interface Ending {
  readonly code: number;
  readonly reason: string;
}

const open = new Set<TestSocket>();

/** Shows every relay that all open sockets live. */
export async function proveAllAlive(): Promise<void> {
  await Promise.all([...open].map(socket => socket.roundTrip()));
}

/** A client socket whose frames are read one by one, in the documented form whichever encoding it speaks. */
export class TestSocket {
  readonly ws: WebSocket;
  readonly encoding: Encoding;
  readonly challenge: Challenge;
  readonly ending: Promise<Ending>;
  /** Length of the newest frame that was sent. */
  lastSentBytes = 0;
  readonly #frames: Record<string, unknown>[] = [];
  #wake: () => void = () => undefined;
  #isOver = false;

  private constructor(ws: WebSocket, greeting: Challenge, encoding: Encoding) {
    this.ws = ws;
    this.encoding = encoding;
    this.challenge = greeting;
    ws.on('message', (data: Buffer, isBinary: boolean) => {
      const frame = isBinary ? { ...fromBytes(data) } : toRecord(data.toString());
      assert.equal(isBinary, encoding === 'binary' && isEnvelope(frame), 'one form a connection');
      this.#frames.push(frame);
      this.#wake();
    });
    open.add(this);
    this.ending = new Promise(resolve => {
      ws.on('close', (code, reason) => {
        open.delete(this);
        this.#isOver = true;
        resolve({ code, reason: reason.toString() });
        this.#wake();
      });
    });
  }

  /** Connects and reads the challenge. */
  static async connect(
    url: string,
    options: ClientOptions = {},
    encoding: Encoding = 'json',
  ): Promise<TestSocket> {
    const ws = new WebSocket(`${url.replace('http', 'ws')}/v1/socket`, subprotocols[encoding], options);
    ws.on('error', () => undefined);
    const text = await new Promise<string>((resolve, reject) => {
      ws.once('message', (data: Buffer) => resolve(data.toString()));
      ws.once('error', reject);
    });
    return new TestSocket(ws, challenge.parse(JSON.parse(text)), encoding);
  }

  /** A text goes out as it is, an envelope in this socket's encoding. */
  send(frame: object | string): void {
    const message = typeof frame === 'string' ? frame : this.#encode(frame);
    this.lastSentBytes = message.length;
    this.ws.send(message);
  }

  #encode(frame: object): string | Uint8Array {
    return this.encoding === 'binary' && isEnvelope(frame) ? toBytes(frame) : JSON.stringify(frame);
  }

  /** The next frame of this type; others before it are dropped. */
  async next(type: string): Promise<Record<string, unknown>> {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame?.type === type) return frame;
      if (frame !== undefined) continue;
      assert.ok(!this.#isOver, `closed while waiting for ${type}`);
      await new Promise<void>(resolve => (this.#wake = resolve));
    }
  }

  /** Types of what has come and was not read. */
  get unread(): readonly unknown[] {
    return this.#frames.map(frame => frame.type);
  }

  /** A ping and its pong: what was sent before has been read by the relay. */
  async roundTrip(): Promise<void> {
    if (this.#isOver) return;
    const pong = new Promise<void>(resolve => this.ws.once('pong', () => resolve()));
    this.ws.ping();
    await Promise.race([pong, this.ending]);
  }

  /** Reads nothing any more, as if the line were dead. */
  fallSilent(): void {
    open.delete(this);
    this.ws.pause();
  }

  async close(): Promise<void> {
    this.ws.close();
    await this.ending;
  }
}

function toRecord(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  assert.ok(typeof value === 'object' && value !== null);
  return { ...value };
}
