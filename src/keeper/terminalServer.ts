import type { Disposable } from '../../core/base/disposable.ts';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { AskDesk } from './askDesk.ts';
import { DeskLink } from './deskLink.ts';
import { KeeperDoor, part, refuse, type Visitor } from './keeperDoor.ts';
import { encodeKeeperFrame, keeperFrameType, type KeeperFrame } from './keeperFrame.ts';
import { KeeperLife } from './keeperLife.ts';
import {
  keeperEnd,
  terminalSize,
  type KeeperExit,
  type KeeperRefusal,
  type KeeperSpec,
  type KeeperWelcome,
  type TerminalSize,
} from './keeperMessage.ts';
import { InputWitness } from './inputWitness.ts';
import { Looker } from './looker.ts';
import { PtyProcess } from './ptyProcess.ts';
import { onTypingFrame } from './onTypingFrame.ts';
import { ScreenModel } from './screenModel.ts';
import { Typist } from './typist.ts';

const controlC = Buffer.from('\u0003');
/** A restored terminal may tell a wrong size first: one that stays for so long counts. */
const settleMs = 120;

/**
 * Owns one agent that has a terminal. Two may be there at once: a desk, which shows it and types, and a bridge, which
 * learns of its end; the newest of each wins.
 */
export class TerminalServer implements Disposable {
  readonly #door: KeeperDoor;
  readonly #program: PtyProcess;
  readonly #screen: ScreenModel;
  readonly #typist: Typist;
  readonly #life: KeeperLife;
  readonly #asks = new AskDesk();
  readonly #done: () => void;
  readonly #pausedFor = new Set<'screen' | 'desk'>();
  #desk: { readonly visitor: Visitor; readonly pid: number; readonly link: DeskLink } | undefined;
  #bridge: { readonly visitor: Visitor; readonly looker: Looker } | undefined;
  #size: TerminalSize;
  #settling: NodeJS.Timeout | undefined;
  #kill: NodeJS.Timeout | undefined;
  #outputEnd = 0;

  /**
   * @param done called once, when nothing is left to keep
   * @throws when the system grants no terminal
   */
  constructor(spec: KeeperSpec, size: TerminalSize, done: () => void) {
    this.#done = done;
    this.#size = size;
    this.#screen = new ScreenModel(size, {
      room: () => this.#pause('screen', false),
      drawn: () => this.#bridge?.looker.changed(),
    });
    this.#program = new PtyProcess(spec, size, {
      output: bytes => this.#onOutput(bytes),
      exit: (code, signal) =>
        this.#onExit({ code, signal: signal === undefined ? null : String(signal), errorTail: '' }),
    });
    const witness = new InputWitness(this.#program.pid);
    this.#typist = new Typist(this.#program, witness, give => this.#screen.inputModes(give));
    this.#life = new KeeperLife(
      spec,
      graceMs => this.#endProgram(graceMs),
      () => this.#finish(),
    );
    this.#door = new KeeperDoor(spec, {
      arrived: visitor => this.#arrived(visitor),
      frame: (visitor, frame) => this.#onFrame(visitor, frame),
      left: visitor => this.#left(visitor),
      failed: () => this.dispose(),
    });
  }

  get agentPid(): number {
    return this.#program.pid;
  }

  dispose(): void {
    this.#program.signal('SIGKILL');
    this.#finish();
  }

  #arrived(visitor: Visitor): KeeperRefusal | undefined {
    const { socket, hello } = visitor;
    // It is no one who looks after the program: it is of the program.
    if (hello.hook) return this.#asks.arrived(visitor);
    this.#life.attended();
    if (hello.desk) this.#closeDesk();
    else this.#closeBridge();
    const welcome: KeeperWelcome = {
      version: visitor.version,
      agentPid: this.#program.pid,
      keeperPid: process.pid,
      heldFrom: this.#outputEnd,
      outputEnd: this.#outputEnd,
      deskPid: this.#desk?.pid ?? 0,
    };
    socket.write(encodeKeeperFrame(keeperFrameType.welcome, JSON.stringify(welcome)));
    if (hello.desk) {
      const link = new DeskLink(socket, this.#screen, stalled => this.#pause('desk', stalled));
      this.#desk = { visitor, pid: hello.desk.pid, link };
      if (hello.desk.size) this.#settle(hello.desk.size);
      this.#tellDesk();
    } else {
      this.#bridge = { visitor, looker: new Looker(socket, this.#screen) };
      this.#asks.bridgeArrived(visitor);
    }
    if (this.#life.exit) this.#tellExit(visitor, this.#life.exit);
    return undefined;
  }

  #left(visitor: Visitor): void {
    if (this.#asks.left(visitor)) return;
    if (visitor === this.#desk?.visitor) {
      this.#desk.link.dispose();
      this.#desk = undefined;
      this.#typist.deskLeft();
      this.#tellDesk();
    }
    if (visitor === this.#bridge?.visitor) {
      this.#closeLook();
    }
    if (this.#desk === undefined && this.#bridge === undefined) this.#life.unattended();
  }

  #onFrame(visitor: Visitor, frame: KeeperFrame): void {
    if (this.#asks.onFrame(visitor, frame)) return;
    const isDesk = visitor === this.#desk?.visitor;
    if (!isDesk && visitor !== this.#bridge?.visitor) return;
    switch (frame.type) {
      case keeperFrameType.input:
        this.#typist.deskInput(frame.body);
        if (this.#typist.isFull) this.#rest(visitor);
        return;
      case keeperFrameType.resize: {
        const size = terminalSize.safeParse(jsonValue(frame.body.toString('utf8')));
        if (isDesk && size.success) this.#settle(size.data);
        return;
      }
      case keeperFrameType.look:
        if (!isDesk) this.#bridge?.looker.onLook(frame.body);
        return;
      case keeperFrameType.paste:
      case keeperFrameType.keys:
        if (!isDesk) onTypingFrame(this.#typist, frame, visitor.socket);
        return;
      case keeperFrameType.answer:
        if (!isDesk) this.#asks.onAnswer(frame.body);
        return;
      case keeperFrameType.interrupt:
        // Its terminal makes a signal of it, or its program a key, as it wants.
        this.#typist.keys(controlC, () => undefined);
        return;
      case keeperFrameType.end: {
        const end = keeperEnd.safeParse(jsonValue(frame.body.toString('utf8')));
        this.#life.askedToEnd(end.success ? end.data.graceMs : 0);
        return;
      }
    }
  }

  /** Who types faster than the program reads waits, as in any terminal. */
  #rest({ socket }: Visitor): void {
    socket.pause();
    const timer = setInterval(() => {
      if (this.#typist.isFull && !socket.destroyed) return;
      clearInterval(timer);
      socket.resume();
    }, settleMs);
  }

  #settle(size: TerminalSize): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      if (size.columns === this.#size.columns && size.rows === this.#size.rows) return;
      this.#size = size;
      this.#program.resize(size);
      this.#screen.resize(size);
    }, settleMs);
  }

  #onOutput(bytes: Buffer): void {
    this.#outputEnd += bytes.length;
    this.#screen.write(bytes);
    if (this.#screen.isFull) this.#pause('screen', true);
    this.#desk?.link.output(bytes, this.#outputEnd);
  }

  #pause(reason: 'screen' | 'desk', paused: boolean): void {
    const before = this.#pausedFor.size;
    if (paused) this.#pausedFor.add(reason);
    else this.#pausedFor.delete(reason);
    if (before === 0 && this.#pausedFor.size > 0) this.#program.pause();
    if (before > 0 && this.#pausedFor.size === 0) this.#program.resume();
  }

  #tellDesk(): void {
    const body = JSON.stringify({ pid: this.#desk?.pid ?? 0 });
    this.#bridge?.visitor.socket.write(encodeKeeperFrame(keeperFrameType.desk, body));
  }

  #closeDesk(): void {
    if (this.#desk === undefined) return;
    this.#desk.link.dispose();
    refuse(this.#desk.visitor.socket, 'replaced');
    this.#desk = undefined;
    this.#typist.deskLeft();
  }

  #closeBridge(): void {
    if (this.#bridge === undefined) return;
    const { socket } = this.#bridge.visitor;
    this.#closeLook();
    refuse(socket, 'replaced');
  }

  #closeLook(): void {
    this.#bridge?.looker.dispose();
    this.#bridge = undefined;
    this.#asks.bridgeLeft();
  }

  #endProgram(graceMs: number): void {
    this.#program.signal('SIGHUP');
    this.#program.signal('SIGTERM');
    clearTimeout(this.#kill);
    this.#kill = setTimeout(() => this.#program.signal('SIGKILL'), graceMs);
  }

  #onExit(exit: KeeperExit): void {
    clearTimeout(this.#kill);
    this.#typist.dispose();
    this.#asks.dispose();
    for (const visitor of [this.#desk?.visitor, this.#bridge?.visitor])
      if (visitor) this.#tellExit(visitor, exit);
    this.#life.exited(exit);
  }

  #tellExit(visitor: Visitor, exit: KeeperExit): void {
    const frame = encodeKeeperFrame(keeperFrameType.exit, JSON.stringify(exit));
    if (visitor === this.#desk?.visitor) this.#desk.link.tell(frame);
    else visitor.socket.write(frame);
  }

  #finish(): void {
    this.#life.stop();
    clearTimeout(this.#kill);
    clearTimeout(this.#settling);
    const sockets = [this.#desk?.visitor.socket, this.#bridge?.visitor.socket];
    this.#desk?.link.dispose();
    this.#desk = undefined;
    this.#closeLook();
    this.#asks.dispose();
    this.#door.dispose();
    this.#screen.dispose();
    part(sockets, this.#done);
  }
}
