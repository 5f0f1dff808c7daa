import { fstatSync, writeSync } from 'node:fs';
import { spawn, type IPty } from 'node-pty';
import { isCode } from '../../platform/node/files/fileLock.ts';
import { keeperMark } from './backgroundJobs.ts';
import type { KeeperSpec, TerminalSize } from './keeperMessage.ts';
import type { GroupSignal } from './processGroup.ts';
import { ProcessTree } from './processTree.ts';

/** One write to the terminal, in bytes: what the system takes even from a program that reads slowly. */
const pieceBytes = 1_024;
const pieceIntervalMs = 2;
/** How often a program that does not read is tried again. */
const retryMs = 30;
/** Input that waits, in bytes; above it whoever types has to wait. */
const queuedBytes = 262_144;

/** A program with a terminal of its own; the leader of its session. Its end is the end of its children too. */
export class PtyProcess {
  readonly #pty: IPty;
  readonly #tree: ProcessTree;
  #queue: { readonly bytes: Buffer; readonly taken: (() => void) | undefined }[] = [];
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
      // Bytes as they are: a character may be cut anywhere. (The type says string; what comes is a Buffer, but on Windows.)
      encoding: null,
    });
    this.#tree = new ProcessTree(this.pid, spec.env[keeperMark]);
    this.#pty.onData((data: unknown) => {
      if (Buffer.isBuffer(data)) on.output(data);
      else if (typeof data === 'string') on.output(Buffer.from(data));
    });
    this.#pty.onExit(({ exitCode, signal }) => {
      this.#ended = true;
      clearTimeout(this.#timer);
      this.#queue = [];
      this.#queued = 0;
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

  /**
   * In pieces, and no more than the system takes: what a program does not read waits here, where it is counted.
   *
   * @param taken called once the terminal has all of it, which the program may not have read yet; never if it ends before
   */
  write(bytes: Buffer, taken?: () => void): void {
    if (this.#ended) return;
    this.#queue.push({ bytes, taken });
    this.#queued += bytes.length;
    if (this.#timer === undefined) this.#writePiece();
  }

  resize(size: TerminalSize): void {
    if (this.#ended) return;
    try {
      this.#pty.resize(size.columns, size.rows);
    } catch {
      // The program has closed its terminal, and goes on without it.
    }
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
    this.#timer = undefined;
    const [first, ...rest] = this.#queue;
    if (first === undefined) return;
    const count = this.#take(first.bytes.subarray(0, pieceBytes));
    const left = first.bytes.subarray(count);
    this.#queue = left.length > 0 ? [{ ...first, bytes: left }, ...rest] : rest;
    this.#queued -= count;
    this.#timer = setTimeout(() => this.#writePiece(), count === 0 ? retryMs : pieceIntervalMs);
    if (left.length === 0) first.taken?.();
  }

  /**
   * Past node-pty, which takes everything at once, and asks again without a pause while the program does not read.
   *
   * @returns how many bytes the terminal took
   */
  #take(piece: Buffer): number {
    const file: unknown = process.platform === 'win32' ? undefined : Reflect.get(this.#pty, 'fd');
    if (typeof file !== 'number') {
      this.#pty.write(piece);
      return piece.length;
    }
    try {
      // Once it is closed, its number may be a connection's.
      return fstatSync(file).isCharacterDevice() ? writeSync(file, piece) : piece.length;
    } catch (error) {
      return isCode(error, 'EAGAIN') ? 0 : piece.length;
    }
  }
}
