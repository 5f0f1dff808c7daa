import serialize from '@xterm/addon-serialize';
import headless from '@xterm/headless';
import type { TerminalSize } from './keeperMessage.ts';

/** Lines above the screen that a late joiner gets. */
const scrollbackLines = 1_000;
/** Output that waits to be drawn, in bytes: above `high` its source should stop, below `low` it may go on. */
const waiting = { high: 1_048_576, low: 262_144 };

/**
 * What a terminal shows, kept so that whoever comes later sees the same. A recording of raw output would not do: its
 * beginning is cut somewhere, maybe inside of an escape sequence.
 */
export class ScreenModel {
  readonly #terminal: InstanceType<typeof headless.Terminal>;
  readonly #serializer = new serialize.SerializeAddon();
  readonly #onRoom: () => void;
  #waiting = 0;
  /** It was full, and has not had room since. */
  #wasFull = false;
  #isCursorHidden = false;

  /** @param onRoom called when `isFull` has ended */
  constructor(size: TerminalSize, onRoom: () => void) {
    this.#onRoom = onRoom;
    this.#terminal = new headless.Terminal({
      cols: size.columns,
      rows: size.rows,
      scrollback: scrollbackLines,
      allowProposedApi: true,
    });
    this.#terminal.loadAddon(this.#serializer);
    // The serializer tells every mode but this one.
    for (const final of ['h', 'l']) {
      this.#terminal.parser.registerCsiHandler({ prefix: '?', final }, parameters => {
        if (parameters.includes(25)) this.#isCursorHidden = final === 'l';
        return false;
      });
    }
  }

  get isFull(): boolean {
    return this.#waiting > waiting.high;
  }

  write(bytes: Uint8Array): void {
    this.#waiting += bytes.length;
    this.#wasFull ||= this.isFull;
    this.#terminal.write(bytes, () => {
      this.#waiting -= bytes.length;
      if (!this.#wasFull || this.#waiting > waiting.low) return;
      this.#wasFull = false;
      this.#onRoom();
    });
  }

  resize(size: TerminalSize): void {
    this.#terminal.resize(size.columns, size.rows);
  }

  /** Gives what the screen amounts to once everything written before is drawn, and before anything written later is. */
  snapshot(give: (output: string) => void): void {
    this.#terminal.write('', () => {
      const screen = this.#serializer.serialize({ scrollback: scrollbackLines });
      give(`${screen}${this.#isCursorHidden ? '\u001b[?25l' : ''}`);
    });
  }

  dispose(): void {
    this.#terminal.dispose();
  }
}
