import { setTimeout as delay } from 'node:timers/promises';
import type { Disposable } from '../../core/base/disposable.ts';
import { DeskInput } from './deskInput.ts';
import type { InputWitness } from './inputWitness.ts';
import { hasCursorKeys, pasteText, toApplicationKeys } from './pasteText.ts';
import type { PtyProcess } from './ptyProcess.ts';
import type { InputModes } from './screenModel.ts';
import type { TypingOutcome } from './typingMessage.ts';

/** Between what comes from different hands, and before an Enter: programs take what comes at once for one thing. */
const pauseMs = 40;
const patience = {
  /** How long typing from afar waits for a paste at the desk to end. */
  deskPasteMs: 5_000,
  /** How long the terminal may take to accept a paste: a program that reads nothing does not get an Enter, either. */
  unreadMs: 10_000,
};
/** Pastes and keys from afar that wait. */
const maxWaiting = 32;
/** Keys of the desk that are held, in bytes; above it the desk has to wait. */
const maxHeldBytes = 65_536;
const endOfPaste = Buffer.from('\u001b[201~');

export interface Paste {
  readonly text: string;
  /** An Enter follows. */
  readonly submit: boolean;
  /** Also where somebody at the desk has begun to type. */
  readonly force: boolean;
}

interface Job {
  readonly what: Paste | Buffer;
  readonly done: (outcome: TypingOutcome) => void;
}

/**
 * The one who writes to a program's terminal. What is typed from afar goes in one at a time, each whole: keys of the desk
 * that come meanwhile are held until it is through, and it waits for a paste at the desk.
 */
export class Typist implements Disposable {
  readonly #program: Pick<PtyProcess, 'write' | 'isFull'>;
  readonly #witness: Pick<InputWitness, 'mark'>;
  readonly #askModes: (give: (modes: InputModes) => void) => void;
  readonly #patience: typeof patience;
  readonly #desk = new DeskInput();
  readonly #ended = new AbortController();
  readonly #jobs: Job[] = [];
  #isWorking = false;
  /** Input of the desk since something from afar is on its way. */
  #held: Buffer[] | undefined;
  #heldBytes = 0;
  #hasDeskLeft = false;
  #deskAt = -pauseMs;
  #onDesk: () => void = () => undefined;
  #onEnd: () => void = () => undefined;

  /** @param askModes gives what the program wants, by all that it has written */
  constructor(
    program: Pick<PtyProcess, 'write' | 'isFull'>,
    witness: Pick<InputWitness, 'mark'>,
    askModes: (give: (modes: InputModes) => void) => void,
    patienceMs = patience,
  ) {
    this.#patience = patienceMs;
    this.#program = program;
    this.#witness = witness;
    this.#askModes = askModes;
  }

  /** More input waits than is good: its source should stop for a while. */
  get isFull(): boolean {
    return this.#program.isFull || this.#heldBytes > maxHeldBytes;
  }

  /** Input of whoever sits at the desk, as it is. */
  deskInput(bytes: Buffer): void {
    if (this.#held === undefined) this.#write(bytes);
    else {
      this.#held.push(bytes);
      this.#heldBytes += bytes.length;
    }
  }

  /** A desk that has gone cannot end its paste any more. What it typed still stands there. */
  deskLeft(): void {
    if (this.#held !== undefined) this.#hasDeskLeft = true;
    else if (this.#desk.isInPaste) this.#write(endOfPaste);
  }

  paste(paste: Paste, done: (outcome: TypingOutcome) => void): void {
    this.#add({ what: paste, done });
  }

  keys(bytes: Buffer, done: (outcome: TypingOutcome) => void): void {
    this.#add({ what: bytes, done });
  }

  /** The program has ended: whoever waits is told. */
  dispose(): void {
    this.#ended.abort();
    this.#onDesk();
    this.#onEnd();
    for (const { done } of this.#jobs.splice(0)) done('gone');
  }

  #add(job: Job): void {
    if (this.#ended.signal.aborted) job.done('gone');
    else if (this.#jobs.length >= maxWaiting) job.done('busy');
    else {
      this.#jobs.push(job);
      if (!this.#isWorking) void this.#work();
    }
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (;;) {
      const job = this.#jobs.shift();
      if (job === undefined) break;
      try {
        job.done(await this.#do(job.what));
      } catch {
        // Aborted: there is nothing else that a pause could throw.
        job.done('gone');
      }
    }
    this.#isWorking = false;
  }

  async #do(what: Paste | Buffer): Promise<TypingOutcome> {
    if (!(await this.#untilDeskHasPasted())) return 'desk_is_typing';
    const isPaste = !Buffer.isBuffer(what);
    if (isPaste && !what.force && this.#desk.hasDraft) return 'desk_is_typing';
    this.#held = [];
    try {
      const sinceDesk = performance.now() - this.#deskAt;
      if (sinceDesk < pauseMs) await this.#pause(pauseMs - sinceDesk);
      const bytes = isPaste ? await this.#pasted(what) : await this.#pressed(what);
      if (bytes.length > 0 && !(await this.#typed(bytes))) {
        // The rest of it follows once the program reads: it stands there then, and nothing may be added to it.
        this.#desk.leaveDraft();
        return 'unread';
      }
      if (isPaste && what.submit && !(await this.#typed(Buffer.from('\r')))) return 'unread';
      if (isPaste ? what.submit : isSentOff(what)) this.#desk.clearDraft();
      return 'typed';
    } finally {
      this.#release();
    }
  }

  /** @returns whether the terminal took it; the program has read it then, unless it is busy with something else for long */
  async #typed(bytes: Buffer): Promise<boolean> {
    const { signal } = this.#ended;
    const mark = this.#witness.mark();
    const taken = await new Promise<boolean>(resolve => {
      const timer = setTimeout(() => resolve(false), this.#patience.unreadMs);
      this.#program.write(bytes, () => {
        clearTimeout(timer);
        resolve(true);
      });
      this.#onEnd = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
    signal.throwIfAborted();
    if (!taken) return false;
    await mark.untilRead(bytes.length, signal);
    await this.#pause(pauseMs);
    return true;
  }

  /** @returns whether it has ended in time */
  async #untilDeskHasPasted(): Promise<boolean> {
    for (const end = performance.now() + this.#patience.deskPasteMs; this.#desk.isInPaste;) {
      const leftMs = end - performance.now();
      if (leftMs <= 0) return false;
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, leftMs);
        this.#onDesk = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#ended.signal.throwIfAborted();
    }
    return true;
  }

  async #pasted({ text }: Paste): Promise<Buffer> {
    const { isPasteMarked } = await this.#modes();
    return Buffer.from(pasteText(text, isPasteMarked));
  }

  /** As the program's terminal sends them now. */
  async #pressed(keys: Buffer): Promise<Buffer> {
    if (!hasCursorKeys(keys)) return keys;
    const { hasApplicationKeys } = await this.#modes();
    return hasApplicationKeys ? toApplicationKeys(keys) : keys;
  }

  async #modes(): Promise<InputModes> {
    const modes = await new Promise<InputModes>((resolve, reject) => {
      this.#onEnd = () => reject(new Error('it has ended'));
      this.#askModes(resolve);
    });
    this.#ended.signal.throwIfAborted();
    return modes;
  }

  #release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#heldBytes = 0;
    for (const bytes of held) this.#write(bytes);
    if (this.#hasDeskLeft) this.deskLeft();
    this.#hasDeskLeft = false;
  }

  #write(bytes: Buffer): void {
    this.#desk.push(bytes);
    this.#deskAt = performance.now();
    this.#program.write(bytes);
    this.#onDesk();
  }

  #pause(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: this.#ended.signal });
  }
}

/** Keys that send off, or take back, what stands there: Enter, Ctrl+C. */
function isSentOff(keys: Buffer): boolean {
  return keys.includes('\r') || keys.includes('\u0003');
}
