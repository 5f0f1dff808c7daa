import { spawn, type IPty } from 'node-pty';
import type { KeeperSpec, TerminalSize } from './keeperMessage.ts';
import type { GroupSignal } from './processGroup.ts';
import { ProcessTree } from './processTree.ts';

/** One write to the terminal, in bytes: what the system takes even from a program that reads slowly. */
const pieceBytes = 1_024;
const pieceIntervalMs = 2;
/** Input that waits, in bytes; above it whoever types has to wait. */
const queuedBytes = 262_144;

/** A program with a terminal of its own; the leader of its session. Its end is the end of its children too. */
export class PtyProcess {
  readonly #pty: IPty;
  readonly #tree: ProcessTree;
  #queue: Buffer[] = [];
  #queued = 0;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  /** @throws when the system grants no terminal */
  constructor(
    spec: Pick<KeeperSpec, 'argv' | 'cwd' | 'env'>,
    size: TerminalSize,
    on: {
      readonly output: (bytes: Buffer) => void;
      readonly exit: (code: number, signal: number | undefined) => void;
    },
  ) {
    const [command = '', ...args] = spec.argv;
    this.#pty = spawn(command, args, {
      name: 'xterm-256color',
      cols: size.columns,
      rows: size.rows,
      cwd: spec.cwd,
      env: { ...spec.env, COLORTERM: 'truecolor' },
      // Bytes as they are: a character may be cut anywhere. (The type says string; what comes is a Buffer.)
      encoding: null,
    });
    this.#tree = new ProcessTree(this.pid);
    this.#pty.onData(data => on.output(Buffer.from(data)));
    this.#pty.onExit(({ exitCode, signal }) => {
      this.#ended = true;
      clearInterval(this.#timer);
      this.#tree.ended();
      on.exit(exitCode, signal === 0 ? undefined : signal);
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** More input waits than is good: its source should stop for a while. */
  get isFull(): boolean {
    return this.#queued > queuedBytes;
  }

  /** In pieces, since a program that does not read would make one large write spin. */
  write(bytes: Buffer): void {
    if (this.#ended) return;
    if (this.#queued === 0 && bytes.length <= pieceBytes) {
      this.#pty.write(bytes);
      return;
    }
    this.#queue.push(bytes);
    this.#queued += bytes.length;
    this.#timer ??= setInterval(() => this.#writePiece(), pieceIntervalMs);
  }

  resize(size: TerminalSize): void {
    if (!this.#ended) this.#pty.resize(size.columns, size.rows);
  }

  pause(): void {
    this.#pty.pause();
  }

  resume(): void {
    this.#pty.resume();
  }

  signal(name: GroupSignal): void {
    this.#tree.signal(name);
  }

  #writePiece(): void {
    const [first, ...rest] = this.#queue;
    if (first === undefined) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const piece = first.subarray(0, pieceBytes);
    this.#queue = first.length > pieceBytes ? [first.subarray(pieceBytes), ...rest] : rest;
    this.#queued -= piece.length;
    this.#pty.write(piece);
  }
}
