import type { Disposable } from '../../core/base/disposable.ts';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { AgentProcess } from './agentProcess.ts';
import { KeeperDoor, part, refuse, type Visitor } from './keeperDoor.ts';
import {
  decodeOffset,
  encodeKeeperFrame,
  encodeOutputFrame,
  keeperFrameType,
  type KeeperFrame,
} from './keeperFrame.ts';
import { KeeperLife } from './keeperLife.ts';
import {
  keeperEnd,
  type KeeperExit,
  type KeeperRefusal,
  type KeeperSpec,
  type KeeperWelcome,
} from './keeperMessage.ts';
import { OutputBuffer } from './outputBuffer.ts';

/** Output held for a client that is away; above it the agent waits in its own write. */
const heldOutputBytes = 8 * 1_048_576;

/** Owns one agent that speaks through pipes, and at most one client; the newest client wins. */
export class KeeperServer implements Disposable {
  readonly #door: KeeperDoor;
  readonly #agent: AgentProcess;
  readonly #life: KeeperLife;
  readonly #output = new OutputBuffer(heldOutputBytes);
  readonly #done: () => void;
  #client: Visitor | undefined;
  #kill: NodeJS.Timeout | undefined;

  /** @param done called once, when nothing is left to keep */
  constructor(spec: KeeperSpec, done: () => void) {
    this.#done = done;
    this.#life = new KeeperLife(
      spec,
      graceMs => this.#endAgent(graceMs),
      () => this.#finish(),
    );
    this.#door = new KeeperDoor(spec, {
      arrived: visitor => this.#arrived(visitor),
      frame: (visitor, frame) => {
        if (visitor === this.#client) this.#onFrame(frame);
      },
      left: visitor => {
        if (visitor !== this.#client) return;
        this.#client = undefined;
        this.#life.unattended();
      },
      failed: () => this.dispose(),
    });
    this.#agent = new AgentProcess(spec, {
      output: bytes => this.#onOutput(bytes),
      exit: (code, signal) => this.#onExit({ code, signal, errorTail: this.#agent.errorTail }),
    });
  }

  get agentPid(): number {
    return this.#agent.pid;
  }

  dispose(): void {
    this.#agent.signal('SIGKILL');
    this.#finish();
  }

  #arrived(visitor: Visitor): KeeperRefusal | undefined {
    const { socket, hello } = visitor;
    // Without a terminal it has no dialog: its asks are in its output.
    if (hello.hook) return 'incompatible_version';
    const missed = this.#output.from(hello.from ?? this.#output.heldFrom);
    if (missed === undefined) return 'gap';
    this.#life.attended();
    if (this.#client) refuse(this.#client.socket, 'replaced');
    this.#client = visitor;
    const welcome: KeeperWelcome = {
      version: visitor.version,
      agentPid: this.#agent.pid,
      keeperPid: process.pid,
      heldFrom: this.#output.heldFrom,
      outputEnd: this.#output.end,
    };
    socket.write(encodeKeeperFrame(keeperFrameType.welcome, JSON.stringify(welcome)));
    for (const { offset, bytes } of missed) this.#sendOutput(visitor, offset, bytes);
    if (this.#life.exit) this.#sendExit(visitor, this.#life.exit);
    return undefined;
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
        this.#life.askedToEnd(end.success ? end.data.graceMs : 0);
        return;
      }
    }
  }

  #endAgent(graceMs: number): void {
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

  #sendOutput({ socket }: Visitor, offset: number, bytes: Buffer): void {
    const step = 256 * 1024;
    for (let at = 0; at < bytes.length; at += step) {
      socket.write(encodeOutputFrame(offset + at, bytes.subarray(at, at + step)));
    }
  }

  #onExit(exit: KeeperExit): void {
    clearTimeout(this.#kill);
    if (this.#client) this.#sendExit(this.#client, exit);
    this.#life.exited(exit);
  }

  #sendExit({ socket }: Visitor, exit: KeeperExit): void {
    socket.write(encodeKeeperFrame(keeperFrameType.exit, JSON.stringify(exit)));
  }

  #finish(): void {
    this.#life.stop();
    clearTimeout(this.#kill);
    const socket = this.#client?.socket;
    this.#client = undefined;
    this.#door.dispose();
    part([socket], this.#done);
  }
}
