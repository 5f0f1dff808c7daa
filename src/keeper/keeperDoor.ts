import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import type { Disposable } from '../../core/base/disposable.ts';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { encodeKeeperFrame, keeperFrameType, KeeperFrameReader, type KeeperFrame } from './keeperFrame.ts';
import {
  commonVersion,
  keeperHello,
  type KeeperHello,
  type KeeperRefusal,
  type KeeperSpec,
} from './keeperMessage.ts';

/** How long a connection may take to say who it is. */
const helloTimeoutMs = 10_000;
/** How long it may take to read the last words. */
const partingMs = 2_000;

/** Somebody who has proven to know the token. */
export interface Visitor {
  readonly socket: Socket;
  readonly hello: KeeperHello;
  /** What both speak. */
  readonly version: number;
}

export interface DoorListener {
  /** @returns why the visitor cannot stay, or undefined when it may */
  arrived(visitor: Visitor): KeeperRefusal | undefined;
  frame(visitor: Visitor, frame: KeeperFrame): void;
  left(visitor: Visitor): void;
  /** Nobody can come any more. */
  failed(): void;
}

/** A keeper's socket: lets in who knows the token and speaks the version, and cuts what they say into frames. */
export class KeeperDoor implements Disposable {
  readonly #token: string;
  readonly #listener: DoorListener;
  readonly #server: Server;

  constructor(spec: Pick<KeeperSpec, 'token' | 'socketPath'>, listener: DoorListener) {
    this.#token = spec.token;
    this.#listener = listener;
    this.#server = createServer(socket => this.#accept(socket));
    this.#server.listen(spec.socketPath);
    this.#server.on('error', () => listener.failed());
  }

  dispose(): void {
    this.#server.close();
  }

  #accept(socket: Socket): void {
    const reader = new KeeperFrameReader();
    const timeout = setTimeout(() => socket.destroy(), helloTimeoutMs);
    let visitor: Visitor | undefined;
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timeout);
      if (visitor !== undefined) this.#listener.left(visitor);
    });
    socket.on('data', chunk => {
      const frames = reader.push(chunk);
      if (frames === undefined) {
        socket.destroy();
        return;
      }
      for (const frame of frames) {
        if (visitor !== undefined) this.#listener.frame(visitor, frame);
        else if (!socket.destroyed && !socket.writableEnded) visitor = this.#greet(socket, frame);
        if (visitor !== undefined) clearTimeout(timeout);
      }
    });
  }

  #greet(socket: Socket, frame: KeeperFrame): Visitor | undefined {
    const hello = keeperHello.safeParse(jsonValue(frame.body.toString('utf8')));
    if (frame.type !== keeperFrameType.hello || !hello.success || !sameSecret(hello.data.token, this.#token))
      return refuse(socket, 'unauthorized');
    const version = commonVersion(hello.data);
    if (version === undefined) return refuse(socket, 'incompatible_version');
    const visitor = { socket, hello: hello.data, version };
    const refusal = this.#listener.arrived(visitor);
    return refusal === undefined ? visitor : refuse(socket, refusal);
  }
}

/** Says why, and closes. */
export function refuse(socket: Socket, code: KeeperRefusal): undefined {
  socket.end(encodeKeeperFrame(keeperFrameType.refused, JSON.stringify({ code })));
}

/** Closes what is open, and calls `done` when all has been read, or will not be: a desk that is not shown never reads. */
export function part(sockets: readonly (Socket | undefined)[], done: () => void): void {
  const open = new Set(sockets.filter(socket => socket !== undefined && !socket.destroyed));
  if (open.size === 0) {
    done();
    return;
  }
  const timer = setTimeout(done, partingMs);
  for (const socket of open) {
    socket?.end(() => {
      open.delete(socket);
      if (open.size > 0) return;
      clearTimeout(timer);
      done();
    });
  }
}

/** Compares digests, so that neither length nor content shows in the time taken. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
