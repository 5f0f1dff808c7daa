import serialize from '@xterm/addon-serialize';
import headless from '@xterm/headless';
import { characterWidths } from './characterWidths.ts';
import type { TerminalSize } from './keeperMessage.ts';
import { PictureMaker } from './pictureMaker.ts';
import type { PageRequest, ScreenPage, ScreenPicture } from '../../core/protocol/screenPicture.ts';

/** Lines above the screen that a late joiner gets. */
const scrollbackLines = 1_000;
/** Output that waits to be drawn, in bytes: above `high` its source should stop, below `low` it may go on. */
const waiting = { high: 1_048_576, low: 262_144 };
/** For so long a program may say that its picture is not complete. */
const motionMs = 500;

/** What a program wants of whoever types, by all that it has written. */
export interface InputModes {
  /** To be told what is pasted. */
  readonly isPasteMarked: boolean;
  /** Its cursor keys in the form for applications (DECCKM). */
  readonly hasApplicationKeys: boolean;
}

export interface ScreenListener {
  /** `isFull` has ended. */
  room(): void;
  /** Something was drawn. */
  drawn(): void;
}

/**
 * What a terminal shows, kept so that whoever comes later sees the same. A recording of raw output would not do: its
 * beginning is cut somewhere, maybe inside of an escape sequence.
 */
export class ScreenModel {
  readonly #terminal: InstanceType<typeof headless.Terminal>;
  readonly #serializer = new serialize.SerializeAddon();
  readonly #pictures: PictureMaker;
  readonly #listener: ScreenListener;
  #waiting = 0;
  /** It was full, and has not had room since. */
  #wasFull = false;
  #isCursorHidden = false;
  #movingSince: number | undefined;

  constructor(size: TerminalSize, listener: ScreenListener) {
    this.#listener = listener;
    this.#terminal = new headless.Terminal({
      cols: size.columns,
      rows: size.rows,
      scrollback: scrollbackLines,
      allowProposedApi: true,
      // Programs may write what no terminal understands.
      logLevel: 'off',
    });
    this.#terminal.loadAddon(this.#serializer);
    this.#terminal.unicode.register(characterWidths);
    this.#terminal.unicode.activeVersion = characterWidths.version;
    // The serializer tells every mode but this one.
    for (const final of ['h', 'l']) {
      this.#terminal.parser.registerCsiHandler({ prefix: '?', final }, parameters => {
        if (parameters.includes(25)) this.#isCursorHidden = final === 'l';
        return false;
      });
    }
    const onReset = (): boolean => {
      this.#isCursorHidden = false;
      return false;
    };
    this.#terminal.parser.registerEscHandler({ final: 'c' }, onReset);
    this.#terminal.parser.registerCsiHandler({ intermediates: '!', final: 'p' }, onReset);
    this.#pictures = new PictureMaker(this.#terminal, () => !this.#isCursorHidden);
  }

  /** The program is in the middle of a picture. */
  get isInMotion(): boolean {
    return this.#movingSince !== undefined && performance.now() - this.#movingSince < motionMs;
  }

  get isFull(): boolean {
    return this.#waiting > waiting.high;
  }

  write(bytes: Uint8Array): void {
    this.#waiting += bytes.length;
    this.#wasFull ||= this.isFull;
    this.#terminal.write(bytes, () => {
      this.#waiting -= bytes.length;
      this.#drawn();
      if (!this.#wasFull || this.#waiting > waiting.low) return;
      this.#wasFull = false;
      this.#listener.room();
    });
  }

  resize(size: TerminalSize): void {
    this.#terminal.resize(size.columns, size.rows);
    this.#drawn();
  }

  /** @returns undefined when nothing that can be seen has changed after the revision `after` */
  picture(after: number | undefined): ScreenPicture | undefined {
    return this.#pictures.picture(after);
  }

  page(request: PageRequest): ScreenPage {
    return this.#pictures.page(request);
  }

  /** Gives what the screen amounts to once everything written before is drawn, and before anything written later is. */
  snapshot(give: (output: string) => void): void {
    this.#terminal.write('', () => {
      const screen = this.#serializer.serialize({ scrollback: scrollbackLines });
      give(`${screen}${this.#isCursorHidden ? '\u001b[?25l' : ''}`);
    });
  }

  /** Gives what the program wants of whoever types, once all that it has written before is taken in. */
  inputModes(give: (modes: InputModes) => void): void {
    this.#terminal.write('', () => {
      const { bracketedPasteMode, applicationCursorKeysMode } = this.#terminal.modes;
      give({ isPasteMarked: bracketedPasteMode, hasApplicationKeys: applicationCursorKeysMode });
    });
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  #drawn(): void {
    const { synchronizedOutputMode } = this.#terminal.modes;
    if (synchronizedOutputMode) this.#movingSince ??= performance.now();
    else this.#movingSince = undefined;
    this.#pictures.stale();
    this.#listener.drawn();
  }
}
