import { createConnection, type Socket } from 'node:net';
import type {
  LookRequest,
  PageRequest,
  ScreenPage,
  ScreenPicture,
} from '../../core/protocol/screenPicture.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import {
  decodeOffset,
  encodeKeeperFrame,
  encodeOffset,
  keeperFrameType,
  KeeperFrameReader,
  maxKeeperFrameBytes,
  type KeeperFrame,
} from '../keeper/keeperFrame.ts';
import {
  keeperDesk,
  keeperExit,
  keeperRefused,
  keeperVersions,
  keeperWelcome,
  type KeeperExit,
  type KeeperRefusal,
  type KeeperWelcome,
} from '../keeper/keeperMessage.ts';
import type { HeldAsks } from '../adapters/heldAsks.ts';
import { KeeperAsks } from './keeperAsks.ts';
import { KeeperRequests, type LookFailure } from './keeperRequests.ts';
import { KeeperTyping, type PasteRequest, type Typed } from './keeperTyping.ts';

/** How much longer than its grace the end of an agent may take; a keeper that takes longer does not work any more. */
const overdueMs = 5_000;

export interface KeeperEvents {
  /** Agent output; `end` is the offset after `bytes`, to be acknowledged once it is safe. */
  readonly output: (bytes: Buffer, end: number) => void;
  readonly exit: (exit: KeeperExit) => void;
  /** Another process shows the terminal now; 0 when none does. */
  readonly desk?: (pid: number) => void;
  /** The connection is gone: by `reason`, or because the keeper died. */
  readonly lost: (reason: KeeperRefusal | 'disconnected') => void;
}

export type KeeperAttachFailure = KeeperRefusal | 'unreachable' | 'malformed';

/** The bridge's end of a keeper's socket. */
export class KeeperClient implements Disposable {
  readonly #socket: Socket;
  readonly welcome: KeeperWelcome;
  readonly #requests: KeeperRequests;
  readonly #typing: KeeperTyping;
  readonly #asks: KeeperAsks;
  #overdue: NodeJS.Timeout | undefined;
  /** Newest offset to acknowledge at the end of this turn of the event loop: one frame for many lines. */
  #acknowledged: number | undefined;

  private constructor(socket: Socket, welcome: KeeperWelcome) {
    this.#socket = socket;
    this.welcome = welcome;
    const send = (type: number, body: string): void => void socket.write(encodeKeeperFrame(type, body));
    this.#requests = new KeeperRequests(welcome.version, send);
    this.#typing = new KeeperTyping(welcome.version, send);
    this.#asks = new KeeperAsks(send);
    socket.on('close', () => {
      this.#requests.close();
      this.#typing.close();
      this.#asks.close();
    });
  }

  /** Connects and reads on from `from`, or from all that the keeper still holds. No event fires before the returned promise has settled. */
  static attach(
    target: { readonly socketPath: string; readonly token: string; readonly from?: number },
    events: KeeperEvents,
    signal: AbortSignal,
  ): Promise<Result<KeeperClient, KeeperAttachFailure>> {
    return new Promise(resolve => {
      const socket = createConnection(target.socketPath);
      const reader = new KeeperFrameReader();
      let client: KeeperClient | undefined;
      let refusal: KeeperRefusal | undefined;
      let exited = false;
      const onAbort = (): void => void socket.destroy();
      signal.addEventListener('abort', onAbort, { once: true });
      socket.on('connect', () => {
        const from = target.from === undefined ? {} : { from: target.from };
        const { oldest, newest } = keeperVersions;
        const hello = { version: oldest, newest, token: target.token, ...from };
        socket.write(encodeKeeperFrame(keeperFrameType.hello, JSON.stringify(hello)));
      });
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        signal.removeEventListener('abort', onAbort);
        if (client === undefined) resolve(fail(refusal ?? 'unreachable'));
        else if (!exited) events.lost(refusal ?? 'disconnected');
      });
      socket.on('data', chunk => {
        const frames = reader.push(chunk);
        if (frames === undefined) {
          socket.destroy();
          return;
        }
        for (const frame of frames) {
          if (frame.type === keeperFrameType.output) {
            const output = decodeOffset(frame.body);
            if (output) events.output(output.bytes, output.offset + output.bytes.length);
          } else if (frame.type === keeperFrameType.exit) {
            const exit = keeperExit.safeParse(jsonValue(frame.body.toString('utf8')));
            exited = true;
            if (exit.success) events.exit(exit.data);
          } else if (frame.type === keeperFrameType.desk) {
            const desk = keeperDesk.safeParse(jsonValue(frame.body.toString('utf8')));
            if (desk.success) events.desk?.(desk.data.pid);
          } else if (frame.type === keeperFrameType.refused) {
            const refused = keeperRefused.safeParse(jsonValue(frame.body.toString('utf8')));
            // A reason that we have never heard of is of a version that we do not speak.
            refusal = refused.success ? refused.data.code : 'incompatible_version';
          } else if (frame.type === keeperFrameType.welcome && client === undefined) {
            const welcome = keeperWelcome.safeParse(jsonValue(frame.body.toString('utf8')));
            if (!welcome.success) {
              socket.destroy();
              return;
            }
            const { version } = welcome.data;
            if (version < keeperVersions.oldest || version > keeperVersions.newest) {
              refusal = 'incompatible_version';
              socket.destroy();
              return;
            }
            signal.removeEventListener('abort', onAbort);
            client = new KeeperClient(socket, welcome.data);
            resolve(ok(client));
          } else if (client !== undefined) client.#onAnswer(frame);
        }
      });
    });
  }

  #onAnswer(frame: KeeperFrame): void {
    this.#requests.onFrame(frame);
    this.#typing.onFrame(frame);
    this.#asks.onFrame(frame);
  }

  /** What the program asks through its hooks. */
  get asks(): HeldAsks {
    return this.#asks;
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    const step = maxKeeperFrameBytes / 2;
    for (let at = 0; at < bytes.length; at += step) {
      this.#socket.write(encodeKeeperFrame(keeperFrameType.input, bytes.subarray(at, at + step)));
    }
  }

  /** A terminal's screen, as soon as it is not what it was at the revision `after`. A later look replaces one that waits. */
  look(request: LookRequest, signal: AbortSignal): Promise<Result<ScreenPicture, LookFailure>> {
    return this.#requests.look(request, signal);
  }

  /** Lines that have left a terminal's screen, at most `maxPageLines`. */
  page(request: PageRequest, signal: AbortSignal): Promise<Result<ScreenPage, LookFailure>> {
    return this.#requests.page(request, signal);
  }

  /** Text for a terminal's program, whole and by itself. */
  paste(text: string, request: PasteRequest, signal: AbortSignal): Promise<Typed> {
    return this.#typing.paste(text, request, signal);
  }

  /** A few keys for a terminal's program, as the bytes that a terminal sends for them. */
  keys(bytes: Uint8Array, signal: AbortSignal): Promise<Typed> {
    return this.#typing.keys(bytes, signal);
  }

  /** Lets the keeper release everything before `offset`. */
  acknowledge(offset: number): void {
    if (this.#acknowledged === undefined) {
      setImmediate(() => {
        const newest = this.#acknowledged ?? 0;
        this.#acknowledged = undefined;
        if (!this.#socket.destroyed)
          this.#socket.write(encodeKeeperFrame(keeperFrameType.ack, encodeOffset(newest)));
      });
    }
    this.#acknowledged = offset;
  }

  /** Stops reading; the keeper holds what comes, and pauses the agent at its own bound. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** SIGINT to the agent's group; Ctrl+C to one that has a terminal. */
  interrupt(): void {
    this.#socket.write(encodeKeeperFrame(keeperFrameType.interrupt));
  }

  /** Ends the agent, and with it the keeper. One that does not is given up, and is `lost`. */
  end(graceMs: number): void {
    this.#overdue ??= setTimeout(() => this.#socket.destroy(), graceMs + overdueMs).unref();
    this.#socket.write(encodeKeeperFrame(keeperFrameType.end, JSON.stringify({ graceMs })));
  }

  /** Detaches; the agent goes on. */
  dispose(): void {
    this.#socket.destroySoon();
  }
}
