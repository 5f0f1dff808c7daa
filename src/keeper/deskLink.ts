import type { Socket } from 'node:net';
import { encodeKeeperFrame, encodeOutputFrame, keeperFrameType, maxKeeperFrameBytes } from './keeperFrame.ts';
import type { ScreenModel } from './screenModel.ts';

/** Output on its way to a desk, in bytes, above which the program is paused. */
const stalledBytes = 524_288;
/**
 * How long the program waits for a desk. An editor whose page is closed never reads, and must not freeze the agent: then
 * what follows is left out, and the desk gets the screen as it is once it reads again.
 */
const patienceMs = 2_000;

/** One frame of a screen, in bytes. */
const pieceBytes = maxKeeperFrameBytes / 4;

/** Clears what a terminal shows and every mode it is in. */
const reset = '\u001bc';

/** The one that shows the terminal, and how far it is. */
export class DeskLink {
  readonly #socket: Socket;
  readonly #screen: ScreenModel;
  readonly #onStall: (stalled: boolean) => void;
  /** Output since the screen was asked for; undefined when the desk is up to date. */
  #backlog: Buffer[] | undefined;
  #isBehind = false;
  #patience: NodeJS.Timeout | undefined;

  /** @param onStall told when the program should wait, and when it need not any more */
  constructor(socket: Socket, screen: ScreenModel, onStall: (stalled: boolean) => void) {
    this.#socket = socket;
    this.#screen = screen;
    this.#onStall = onStall;
    socket.on('drain', () => this.#drained());
    this.#sendScreen();
  }

  /** @param end offset after `bytes` */
  output(bytes: Buffer, end: number): void {
    if (this.#isBehind) return;
    const frame = encodeOutputFrame(end - bytes.length, bytes);
    if (this.#backlog !== undefined) {
      this.#backlog.push(frame);
      return;
    }
    this.#send(frame);
  }

  /** Something that must not overtake the output before it. */
  tell(frame: Buffer): void {
    if (this.#backlog === undefined) this.#socket.write(frame);
    else this.#backlog.push(frame);
  }

  dispose(): void {
    clearTimeout(this.#patience);
    this.#onStall(false);
  }

  #send(frame: Buffer): void {
    this.#socket.write(frame);
    if (this.#socket.writableLength <= stalledBytes || this.#patience !== undefined) return;
    this.#onStall(true);
    this.#patience = setTimeout(() => {
      this.#isBehind = true;
      this.#onStall(false);
    }, patienceMs);
  }

  #drained(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#onStall(false);
    if (!this.#isBehind) return;
    this.#isBehind = false;
    this.#sendScreen();
  }

  #sendScreen(): void {
    const backlog: Buffer[] = [];
    this.#backlog = backlog;
    this.#screen.snapshot(output => {
      this.#backlog = undefined;
      // A wide screen in many colours does not fit one frame; the first piece clears, and the others go on.
      const bytes = Buffer.from(`${reset}${output}`);
      for (let at = 0; at < bytes.length; at += pieceBytes)
        this.#socket.write(encodeKeeperFrame(keeperFrameType.screen, bytes.subarray(at, at + pieceBytes)));
      for (const frame of backlog) this.#send(frame);
    });
  }
}
