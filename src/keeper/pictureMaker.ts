import { createHash } from 'node:crypto';
import type { IBuffer, IBufferCell, Terminal } from '@xterm/headless';
import { fitRuns } from './fitRuns.ts';
import { LineNumbers } from './lineNumbers.ts';
import { styledRuns } from './styledRuns.ts';
import type { PageRequest, ScreenPage, ScreenPicture, StyledRun } from '../../core/protocol/screenPicture.ts';

type Head = Omit<ScreenPicture, 'revision' | 'changed' | 'cut'>;

/** Pictures of a terminal's screen, and of the lines above it. It keeps a digest of each row, and no picture. */
export class PictureMaker {
  readonly #terminal: Terminal;
  readonly #numbers: LineNumbers;
  readonly #cell: IBufferCell;
  readonly #isCursorShown: () => boolean;
  /** Of each row what it was at last, and since which revision. */
  #rows: { readonly digest: string; readonly since: number }[] = [];
  #revision = 0;
  #head = '';
  #isStale = true;

  constructor(terminal: Terminal, isCursorShown: () => boolean) {
    this.#terminal = terminal;
    this.#isCursorShown = isCursorShown;
    this.#numbers = new LineNumbers(terminal);
    this.#cell = terminal.buffer.active.getNullCell();
  }

  /** Something may have changed. To be called after every piece of output. */
  stale(): void {
    this.#isStale = true;
    this.#numbers.read();
  }

  /** @returns undefined when nothing that can be seen has changed after the revision `after` */
  picture(after: number | undefined): ScreenPicture | undefined {
    const head = this.#look();
    if (after === this.#revision) return undefined;
    const known = after !== undefined && after > 0 && after < this.#revision ? after : 0;
    const wanted = this.#rows.flatMap(({ since }, row) => (since > known ? [row] : []));
    const { active } = this.#terminal.buffer;
    const { lines, cut } = fitRuns(wanted.length, index =>
      this.#read(active, active.baseY + (wanted[index] ?? 0)),
    );
    const changed = lines.map((line, index) => ({ row: wanted[index] ?? 0, runs: [...line] }));
    return { revision: this.#revision, ...head, changed, ...(cut === undefined ? {} : { cut }) };
  }

  page({ before, limit }: PageRequest): ScreenPage {
    const scrollback = this.#numbers.read();
    const { normal } = this.#terminal.buffer;
    const end = Math.min(Math.max(before - scrollback.first, 0), scrollback.count);
    const begin = Math.max(end - limit, 0);
    const { lines, cut } = fitRuns(end - begin, index => this.#read(normal, begin + index));
    return {
      scrollback,
      from: scrollback.first + begin,
      lines: lines.map(runs => ({ runs: [...runs] })),
      ...(cut === undefined ? {} : { cut }),
    };
  }

  /** Compares the screen with what it was, and counts it as a revision if it is another. */
  #look(): Head {
    const { active } = this.#terminal.buffer;
    const { cols: columns, rows } = this.#terminal;
    const head: Head = {
      columns,
      rows,
      // After the last column it waits, and stays there until more is written.
      cursor: {
        row: Math.min(active.cursorY, rows - 1),
        column: Math.min(active.cursorX, columns - 1),
        visible: this.#isCursorShown(),
      },
      alternate: active.type === 'alternate',
      scrollback: this.#numbers.read(),
    };
    if (!this.#isStale) return head;
    this.#isStale = false;
    const digests = Array.from({ length: rows }, (_, row) => {
      const runs = this.#read(active, active.baseY + row);
      return createHash('sha256').update(JSON.stringify(runs)).digest('base64');
    });
    const text = JSON.stringify(head);
    const isSame = text === this.#head && digests.every((digest, row) => this.#rows[row]?.digest === digest);
    if (isSame) return head;
    this.#head = text;
    this.#revision += 1;
    this.#rows = digests.map((digest, row) => {
      const last = this.#rows[row];
      return last?.digest === digest ? last : { digest, since: this.#revision };
    });
    return head;
  }

  #read(buffer: IBuffer, line: number): readonly StyledRun[] {
    const found = buffer.getLine(line);
    return found === undefined ? [] : styledRuns(found, this.#cell);
  }
}
