const escape = 0x1b;
const enter = 0x0d;
const interrupt = 0x03;
const bell = 0x07;
const backslash = 0x5c;
const pasteEnd = Buffer.from('\u001b[201~');
/** Longest parameters of a key or an answer, in bytes. */
const maxParameters = 64;
/** What follows `ESC [ M`: a button and a place. */
const oldMouseBytes = 3;

type State = 'text' | 'escape' | 'csi' | 'ss3' | 'string' | 'terminator' | 'mouse' | 'paste';

/**
 * Follows what a desk sends to a program: whether it is inside a paste, and whether somebody has typed since the last Enter.
 * Cursor keys, the mouse, focus, and what a terminal answers by itself are no typing.
 */
export class DeskInput {
  #state: State = 'text';
  #parameters = '';
  #skip = 0;
  #matched = 0;
  #hasDraft = false;

  /** Something stands in the program's input that nobody has sent off. */
  get hasDraft(): boolean {
    return this.#hasDraft;
  }

  get isInPaste(): boolean {
    return this.#state === 'paste';
  }

  push(bytes: Uint8Array): void {
    bytes.forEach((byte, index) => this.#take(byte, index === 0));
  }

  /** Whatever stood there has been sent off, or taken back. */
  clearDraft(): void {
    this.#hasDraft = false;
  }

  /** Something stands there, whoever wrote it. */
  leaveDraft(): void {
    this.#hasDraft = true;
  }

  #take(byte: number, isFirst: boolean): void {
    switch (this.#state) {
      case 'text':
        this.#text(byte);
        return;
      case 'escape':
        this.#escape(byte, isFirst);
        return;
      case 'csi':
        this.#csi(byte);
        return;
      case 'ss3':
        this.#state = 'text';
        return;
      case 'string':
        if (byte === bell) this.#state = 'text';
        else if (byte === escape) this.#state = 'terminator';
        else if (byte === enter) this.#text(byte);
        return;
      case 'terminator':
        if (byte === backslash) this.#state = 'text';
        else this.#escape(byte, false);
        return;
      case 'mouse':
        this.#skip -= 1;
        if (this.#skip === 0) this.#state = 'text';
        return;
      case 'paste':
        this.#paste(byte);
        return;
    }
  }

  #text(byte: number): void {
    this.#state = byte === escape ? 'escape' : 'text';
    if (byte === enter || byte === interrupt) this.#hasDraft = false;
    else if ((byte >= 0x20 && byte !== 0x7f) || byte === 0x0a) this.#hasDraft = true;
  }

  #escape(byte: number, isFirst: boolean): void {
    this.#state = 'text';
    const character = String.fromCharCode(byte);
    if (character === '[') {
      this.#parameters = '';
      this.#state = 'csi';
    } else if (character === 'O') this.#state = 'ss3';
    else if (isFirst || byte === escape) {
      // The key Escape alone, and something else after it.
      this.#text(byte);
    } else if (']P_^X'.includes(character)) this.#state = 'string';
    // Alt and Enter: a new line of what is being typed.
    else if (byte === enter) this.#hasDraft = true;
  }

  #csi(byte: number): void {
    if (byte < 0x20 || this.#parameters.length > maxParameters) {
      this.#text(byte);
      return;
    }
    const character = String.fromCharCode(byte);
    if (byte < 0x40) {
      this.#parameters += character;
      return;
    }
    this.#state = 'text';
    if (character === '~' && this.#parameters === '200') {
      this.#state = 'paste';
      this.#matched = 0;
    } else if (character === 'M' && this.#parameters === '') {
      this.#state = 'mouse';
      this.#skip = oldMouseBytes;
    } else if (character === 'u') this.#keyInFull();
  }

  /** A key as some programs ask for it: its character, and what was held down and whether it was let go. */
  #keyInFull(): void {
    const [, code, modifiers = '1', event] =
      /^(\d+)(?:[:\d]*)(?:;(\d+)(?::(\d+))?)?/.exec(this.#parameters) ?? [];
    if (code === undefined || event === '3') return;
    const isPlain = modifiers === '1' || modifiers === '2';
    if (code === '13' && modifiers === '1') this.#hasDraft = false;
    else if (code === '99' && modifiers === '5') this.#hasDraft = false;
    else if (isPlain && Number(code) >= 0x20 && Number(code) !== 0x7f) this.#hasDraft = true;
  }

  #paste(byte: number): void {
    if (byte === pasteEnd[this.#matched]) this.#matched += 1;
    else {
      this.#matched = byte === escape ? 1 : 0;
      this.#hasDraft = true;
    }
    if (this.#matched === pasteEnd.length) this.#state = 'text';
  }
}
