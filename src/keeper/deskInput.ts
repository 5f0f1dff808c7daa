const escape = 0x1b;
const enter = 0x0d;
const interrupt = 0x03;
const bell = 0x07;
const tab = 0x09;
const backslash = 0x5c;
const pasteEnd = Buffer.from('\u001b[201~');
/** Longest parameters of a key or an answer, in bytes. */
const maxParameters = 64;
/** What follows `ESC [ M`: a button and a place. */
const oldMouseBytes = 3;

/** What is held down with a key that is told in full; what is locked does not count. */
const [shift, alt, control] = [1, 2, 4];

/**
 * Control keys that may put something into the line, or work on what stands there, as in readline: what was said before (P, N,
 * R, S), what was cut (Y), a completion (Tab, and E and F at the end), the cursor (A, B), and what deletes.
 */
const editing: ReadonlySet<number> = new Set([
  ...[0x01, 0x02, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0a, 0x0b, 0x0e],
  ...[0x10, 0x12, 0x13, 0x15, 0x16, 0x17, 0x19, 0x7f],
]);
/** Arrows, Home and End; with what is held down, and not when they are let go. */
const cursorKeys = 'ABCDFH';
const pressed = /^(?:1(?:;\d+(?::[12])?)?)?$/;
/** Home, Delete and End where they are told by number. */
const numberedKeys = /^[13478](?:;\d+(?::[12])?)?$/;

type State = 'text' | 'escape' | 'csi' | 'ss3' | 'string' | 'terminator' | 'mouse' | 'paste';

/**
 * Follows what a desk sends to a program: whether it is inside a paste, and whether somebody has begun to type since the last
 * Enter. So has who moves the cursor, fetches what was said before, or deletes: something stands there then, or may. The mouse,
 * focus, keys that turn pages or change modes, and what a terminal answers by itself are no typing.
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
        if (cursorKeys.includes(String.fromCharCode(byte))) this.#hasDraft = true;
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
    else if (byte >= 0x20 || editing.has(byte)) this.#hasDraft = true;
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
    // Alt and Enter: a new line of what is being typed. Alt and another key works on it.
    else if (byte >= 0x20 || byte === enter) this.#hasDraft = true;
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
    else if (cursorKeys.includes(character)) this.#hasDraft ||= pressed.test(this.#parameters);
    else if (character === '~') this.#hasDraft ||= numberedKeys.test(this.#parameters);
  }

  /** A key as some programs ask for it: its character, and what was held down and whether it was let go. */
  #keyInFull(): void {
    const [, code, modifiers = '1', event] =
      /^(\d+)(?:[:\d]*)(?:;(\d+)(?::(\d+))?)?/.exec(this.#parameters) ?? [];
    if (code === undefined || event === '3') return;
    const key = Number(code);
    const held = (Number(modifiers) - 1) & (shift | alt | control);
    const isControl = held === control;
    const isSentOff = (key === enter && held === 0) || (isControl && (key & 0x1f) === interrupt);
    if (isSentOff) this.#hasDraft = false;
    else if (isControl ? editing.has(key & 0x1f) : isLineKey(key, held)) this.#hasDraft = true;
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

/** Code points of a private area stand for keys without a character. Shift and Tab changes a mode. */
function isLineKey(key: number, held: number): boolean {
  if (key === tab) return held !== shift;
  return (key >= 0x20 && (key < 57_344 || key > 63_743)) || key === enter || editing.has(key);
}
