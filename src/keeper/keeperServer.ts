import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import type { Disposable } from '../../core/base/disposable.ts';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { AgentProcess } from './agentProcess.ts';
import {
  decodeOffset,
  encodeKeeperFrame,
  encodeOffset,
  keeperFrameType,
  KeeperFrameReader,
  type KeeperFrame,
} from './keeperFrame.ts';
import {
  keeperEnd,
  keeperHello,
  keeperVersion,
  type KeeperExit,
  type KeeperRefusal,
  type KeeperSpec,
  type KeeperWelcome,
} from './keeperMessage.ts';
import { OutputBuffer } from './outputBuffer.ts';

/** Output held for a client that is away; above it the agent waits in its own write. */
const heldOutputBytes = 8 * 1_048_576;
/** How long a connection may take to say who it is. */
const helloTimeoutMs = 10_000;
/** A keeper that nobody ever came to ends after this. */
const neverAttendedMs = 30_000;
/** How long the news of the agent's end is kept for a client that is away. */
const exitKeptMs = 10 * 60_000;

/** Owns one agent and at most one client; the newest client wins. */
export class KeeperServer implements Disposable {
  readonly #spec: KeeperSpec;
  readonly #server: Server;
  readonly #agent: AgentProcess;
  readonly #output = new OutputBuffer(heldOutputBytes);
  readonly #done: () => void;
  #client: Socket | undefined;
  #exit: KeeperExit | undefined;
  /** A client asked for the end: nothing is kept for anybody after it. */
  #isAsked = false;
  #unattended: NodeJS.Timeout | undefined;
  #kill: NodeJS.Timeout | undefined;

  /** @param done called once, when nothing is left to keep */
  constructor(spec: KeeperSpec, done: () => void) {
    this.#spec = spec;
    this.#done = done;
    this.#server = createServer(socket => this.#accept(socket));
    this.#server.listen(spec.socketPath);
    this.#server.on('error', () => this.#finish());
    this.#agent = new AgentProcess(spec, {
      output: bytes => this.#onOutput(bytes),
      exit: (code, signal) => this.#onExit({ code, signal, errorTail: this.#agent.errorTail }),
    });
    // Whoever started it attaches at once; if not, it has died on the way.
    this.#startUnattended(Math.min(spec.unattendedMs, neverAttendedMs));
  }

  dispose(): void {
    this.#agent.signal('SIGKILL');
    this.#finish();
  }

  #accept(socket: Socket): void {
    const reader = new KeeperFrameReader();
    const timeout = setTimeout(() => socket.destroy(), helloTimeoutMs);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timeout);
      if (this.#client !== socket) return;
      this.#client = undefined;
      this.#startUnattended(this.#exit ? exitKeptMs : this.#spec.unattendedMs);
    });
    socket.on('data', chunk => {
      const frames = reader.push(chunk);
      if (frames === undefined) {
        socket.destroy();
        return;
      }
      for (const frame of frames) {
        if (this.#client === socket) this.#onFrame(frame);
        else if (!socket.destroyed && this.#onHello(socket, frame)) clearTimeout(timeout);
      }
    });
  }

  /** @returns whether `socket` is the client now */
  #onHello(socket: Socket, frame: KeeperFrame): boolean {
    const refuse = (code: KeeperRefusal): boolean => {
      socket.end(encodeKeeperFrame(keeperFrameType.refused, JSON.stringify({ code })));
      return false;
    };
    if (frame.type !== keeperFrameType.hello) return refuse('unauthorized');
    const hello = keeperHello.safeParse(jsonValue(frame.body.toString('utf8')));
    if (!hello.success || !sameSecret(hello.data.token, this.#spec.token)) return refuse('unauthorized');
    if (hello.data.version !== keeperVersion) return refuse('incompatible_version');
    const missed = this.#output.from(hello.data.from ?? this.#output.heldFrom);
    if (missed === undefined) return refuse('gap');
    clearTimeout(this.#unattended);
    this.#client?.end(encodeKeeperFrame(keeperFrameType.refused, JSON.stringify({ code: 'replaced' })));
    this.#client = socket;
    const welcome: KeeperWelcome = {
      version: keeperVersion,
      agentPid: this.#agent.pid,
      keeperPid: process.pid,
      heldFrom: this.#output.heldFrom,
      outputEnd: this.#output.end,
    };
    socket.write(encodeKeeperFrame(keeperFrameType.welcome, JSON.stringify(welcome)));
    for (const { offset, bytes } of missed) this.#sendOutput(socket, offset, bytes);
    if (this.#exit) this.#sendExit(socket, this.#exit);
    return true;
  }

  #onFrame(frame: KeeperFrame): void {
    switch (frame.type) {
      case keeperFrameType.input:
        this.#agent.write(frame.body);
        return;
      case keeperFrameType.ack: {
        const ack = decodeOffset(frame.body);
        if (ack) this.#output.acknowledge(ack.offset);
        if (this.#output.hasRoom) this.#agent.resume();
        return;
      }
      case keeperFrameType.interrupt:
        this.#agent.signal('SIGINT');
        return;
      case keeperFrameType.end: {
        const end = keeperEnd.safeParse(jsonValue(frame.body.toString('utf8')));
        this.#endAgent(end.success ? end.data.graceMs : 0);
        return;
      }
    }
  }

  #endAgent(graceMs: number): void {
    this.#isAsked = true;
    if (this.#exit) {
      this.#finish();
      return;
    }
    this.#agent.endInput();
    this.#agent.signal('SIGTERM');
    clearTimeout(this.#kill);
    this.#kill = setTimeout(() => this.#agent.signal('SIGKILL'), graceMs);
  }

  #onOutput(bytes: Buffer): void {
    const offset = this.#output.append(bytes);
    if (this.#output.isFull) this.#agent.pause();
    if (this.#client) this.#sendOutput(this.#client, offset, bytes);
  }

  #sendOutput(socket: Socket, offset: number, bytes: Buffer): void {
    const step = 256 * 1024;
    for (let at = 0; at < bytes.length; at += step) {
      const body = encodeOffset(offset + at, bytes.subarray(at, at + step));
      socket.write(encodeKeeperFrame(keeperFrameType.output, body));
    }
  }

  #onExit(exit: KeeperExit): void {
    this.#exit = exit;
    clearTimeout(this.#kill);
    if (this.#client) this.#sendExit(this.#client, exit);
    if (this.#isAsked) this.#finish();
    else if (this.#client === undefined) this.#startUnattended(exitKeptMs);
  }

  #sendExit(socket: Socket, exit: KeeperExit): void {
    socket.write(encodeKeeperFrame(keeperFrameType.exit, JSON.stringify(exit)));
  }

  #startUnattended(delayMs: number): void {
    clearTimeout(this.#unattended);
    this.#unattended = setTimeout(() => {
      if (this.#exit) this.#finish();
      else this.#endAgent(5_000);
    }, delayMs);
  }

  #finish(): void {
    clearTimeout(this.#unattended);
    clearTimeout(this.#kill);
    const client = this.#client;
    this.#client = undefined;
    this.#server.close();
    if (client === undefined || client.destroyed) this.#done();
    else client.end(() => this.#done());
  }
}

/** Compares digests, so that neither length nor content shows in the time taken. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
