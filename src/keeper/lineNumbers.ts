import type { IMarker, Terminal } from '@xterm/headless';
import type { Scrollback } from '../../core/protocol/screenPicture.ts';

/**
 * Numbers the lines that have scrolled off a screen, so that a number never comes to mean another line. What is dropped at
 * the far end is not announced: it shows on a marker, which moves with its line.
 */
export class LineNumbers {
  readonly #terminal: Terminal;
  /** Number of the oldest line that is kept. */
  #first = 0;
  #count = 0;
  #marker: { readonly at: IMarker; readonly number: number } | undefined;
  #isNewNumbering = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    terminal.onResize(() => (this.#isNewNumbering = true));
    // A full reset makes a new screen.
    terminal.parser.registerEscHandler({ final: 'c' }, () => {
      this.#isNewNumbering = true;
      return false;
    });
    // Back from the other screen, which has no lines to follow.
    terminal.buffer.onBufferChange(() => void this.read());
    this.read();
  }

  /** To be called after every piece of output. */
  read(): Scrollback {
    const { normal } = this.#terminal.buffer;
    // A new numbering, or more lines than are kept have gone by since the last time: all that had a number is gone.
    if (this.#isNewNumbering || this.#marker?.at.isDisposed === true) {
      this.#first += this.#count + normal.length;
      this.#marker?.at.dispose();
      this.#marker = undefined;
      this.#isNewNumbering = false;
    } else if (this.#marker !== undefined) this.#first = this.#marker.number - this.#marker.at.line;
    this.#count = normal.baseY;
    this.#follow();
    return { first: this.#first, count: this.#count };
  }

  /** The newest line above the screen: within the screen, programs move lines about. */
  #follow(): void {
    const { active } = this.#terminal.buffer;
    const newest = active.baseY - 1;
    if (active.type !== 'normal' || newest < 0 || this.#marker?.at.line === newest) return;
    this.#marker?.at.dispose();
    const at = this.#terminal.registerMarker(newest - active.baseY - active.cursorY);
    this.#marker = at === undefined ? undefined : { at, number: this.#first + at.line };
  }
}
