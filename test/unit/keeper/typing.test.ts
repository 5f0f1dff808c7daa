import assert from 'node:assert/strict';
import fc from 'fast-check';
import { setTimeout as delay } from 'node:timers/promises';
import { DeskInput } from '../../../src/keeper/deskInput.ts';
import { isKeys, pasteText } from '../../../src/keeper/pasteText.ts';
import { Typist } from '../../../src/keeper/typist.ts';
import type { TypingOutcome } from '../../../src/keeper/typingMessage.ts';

const begin = '\u001b[200~';
const end = '\u001b[201~';

describe('what a desk types', () => {
  const typedAs = (...chunks: readonly string[]): DeskInput => {
    const desk = new DeskInput();
    for (const chunk of chunks) desk.push(Buffer.from(chunk));
    return desk;
  };

  it('is a draft until Enter or Ctrl+C', () => {
    assert.equal(typedAs('a').hasDraft, true);
    assert.equal(typedAs('日').hasDraft, true);
    assert.equal(typedAs('a', '\r').hasDraft, false);
    assert.equal(typedAs('a\u0003').hasDraft, false);
    assert.equal(typedAs('a\rb').hasDraft, true);
    assert.equal(typedAs('a\u001b\rb\r').hasDraft, false, 'Alt and Enter is a new line of it');
    assert.equal(typedAs('\u001b\r').hasDraft, true);
  });

  it('is a draft also when it is fetched, completed, or worked on: Up, Tab, the cursor, Delete', () => {
    const keys = [
      ...['\u001b[A', '\u001b[B', '\u001b[C', '\u001b[D', '\u001b[H', '\u001b[F'],
      ...['\u001bOA', '\u001bOB', '\u001bOC', '\u001bOD', '\u001bOH', '\u001bOF'],
      ...['\u001b[1;5D', '\u001b[1;2A', '\u001b[1;1:1A', '\u001b[1;1:2A'],
      ...['\u001b[1~', '\u001b[3~', '\u001b[4~', '\u001b[7~', '\u001b[8~', '\u001b[3;5~'],
      ...['\t', '\u007f', '\b', '\u0010', '\u000e', '\u0012', '\u0019', '\u0001', '\u0005', '\u0015'],
      ...['\u001bb', '\u001b.', '\u001b\u007f'],
      ...['\u001b[9u', '\u001b[127u', '\u001b[112;5u', '\u001b[98;3u', '\u001b[13;2u'],
    ];
    for (const key of keys) {
      assert.deepEqual([key, typedAs(key).hasDraft], [key, true]);
      for (const end of ['\r', '\u0003'])
        assert.deepEqual(
          [key, typedAs(key, end).hasDraft],
          [key, false],
          'until it is sent off or taken back',
        );
      for (let cut = 2; cut < key.length; cut += 1)
        assert.deepEqual([key, cut, typedAs(key.slice(0, cut), key.slice(cut)).hasDraft], [key, cut, true]);
    }
  });

  it('is none when a terminal answers, reports the mouse, turns pages or changes a mode', () => {
    const silent = [
      '\u001b[5~',
      '\u001b[6;2~',
      '\u001b[Z',
      '\u001b[1;1:3A',
      '\u001b[3;1:3~',
      '\u001b[57399;1u',
      '\u001b[27u',
      '\u001b[9;2u',
      '\u000c',
      '\u000f',
      '\u001bOP',
      '\u001b[15~',
      '\u001b[I',
      '\u001b[O',
      '\u001b[<0;12;30M\u001b[<0;12;30m',
      '\u001b[M !!',
      '\u001b[24;80R',
      '\u001b[?62;c',
      '\u001b]11;rgb:1e1e/1e1e/1e1e\u001b\\',
      '\u001b]10;rgb:ffff/ffff/ffff\u0007',
      '\u001bP>|xterm.js(6.0.0)\u001b\\',
      '\u001b[?2026;2$y',
      '\u001b',
      '\u001b[97;1:3u',
      '\u001b[99;5u',
    ];
    for (const text of silent) assert.deepEqual([text, typedAs(text).hasDraft], [text, false]);
    // Cut right after its ESC, an answer in many bytes looks like the key Escape and what is typed then.
    for (const text of silent)
      for (let cut = 2; cut < text.length; cut += 1)
        assert.deepEqual(
          [text, cut, typedAs(text.slice(0, cut), text.slice(cut)).hasDraft],
          [text, cut, false],
        );
    assert.equal(typedAs(silent.join(''), 'x').hasDraft, true, 'and what is typed after it counts');
  });

  it('is a draft also in keys that are told in full', () => {
    assert.equal(typedAs('\u001b[97u').hasDraft, true);
    assert.equal(typedAs('\u001b[97;2u').hasDraft, true);
    assert.equal(typedAs('\u001b[111;5u').hasDraft, false);
    assert.equal(typedAs('\u001b[97;129u\u001b[13;129u').hasDraft, false, 'with the numbers locked');
    assert.equal(typedAs('\u001b[97u\u001b[13u').hasDraft, false);
    assert.equal(typedAs('\u001b[97u\u001b[99;5u').hasDraft, false);
  });

  it('is a paste from its beginning to its end, wherever it is cut', () => {
    const stream = Buffer.from(`a\r${begin}x\r\u001b[20\u001b[201y${end}\r`);
    for (let cut = 1; cut < stream.length; cut += 1) {
      const desk = new DeskInput();
      const pasting: boolean[] = [];
      for (const chunk of [stream.subarray(0, cut), stream.subarray(cut)]) {
        desk.push(chunk);
        pasting.push(desk.isInPaste);
      }
      const [from, to] = [2 + begin.length, stream.length - 1];
      assert.deepEqual(pasting, [cut >= from && cut < to, false], `cut at ${String(cut)}`);
      assert.equal(desk.hasDraft, false, 'an Enter within it sends nothing off, one after it does');
    }
    assert.equal(typedAs(`${begin}x\r`).hasDraft, true);
  });
});

describe('a text that is pasted', () => {
  it('is marked for who wants it, and typed with Enters for who does not', () => {
    assert.equal(pasteText('a\nb\tc', true), `${begin}a\nb\tc${end}`);
    assert.equal(pasteText('a\r\nb\rc\n', false), 'a\rb\rc\r');
    assert.equal(pasteText('', true), '');
  });

  it('cannot end itself, whatever is in it', () => {
    const pieces = fc.constantFrom(
      '\u001b',
      '[201~',
      '[200~',
      end,
      begin,
      '\u009b201~',
      'x',
      '\n',
      '\u0003',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), parts => {
        const text = pasteText(parts.join(''), true);
        if (text === '') return;
        assert.ok(text.startsWith(begin) && text.endsWith(end));
        const inner = text.slice(begin.length, -end.length);
        assert.doesNotMatch(inner, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Cs}/u);
        assert.doesNotMatch(pasteText(parts.join(''), false), /[\u001b\u0003\u009b]/);
      }),
      { numRuns: 500 },
    );
  });

  it('is not begun by keys', () => {
    assert.equal(isKeys(Buffer.from('\u001b[A\r\u0003')), true);
    assert.equal(isKeys(Buffer.from(`x${begin}`)), false);
  });
});

/** A terminal that takes input when it is let to. */
class FakeProgram {
  readonly written: string[] = [];
  readonly isFull = false;
  takes = true;
  isMarked = true;
  hasApplicationKeys = false;
  readonly typist: Typist;

  constructor() {
    const witness = { mark: () => ({ untilRead: async () => undefined }) };
    const patience = { deskPasteMs: 150, unreadMs: 150 };
    const modes = () => ({ isPasteMarked: this.isMarked, hasApplicationKeys: this.hasApplicationKeys });
    this.typist = new Typist(this, witness, give => give(modes()), patience);
  }

  write(bytes: Buffer, taken?: () => void): void {
    this.written.push(bytes.toString('utf8'));
    if (this.takes) taken?.();
  }

  paste(text: string, how: { submit?: boolean; force?: boolean } = {}): Promise<TypingOutcome> {
    const { submit = true, force = false } = how;
    return new Promise(resolve => this.typist.paste({ text, submit, force }, resolve));
  }

  keys(text: string): Promise<TypingOutcome> {
    return new Promise(resolve => this.typist.keys(Buffer.from(text), resolve));
  }

  desk(text: string): void {
    this.typist.deskInput(Buffer.from(text));
  }
}

describe('typing from afar', () => {
  let program: FakeProgram;
  beforeEach(() => (program = new FakeProgram()));
  afterEach(() => program.typist.dispose());
  const pasted = (text: string): string => `${begin}${text}${end}`;

  it('writes one prompt after the other, each with its own Enter', async () => {
    assert.deepEqual(
      await Promise.all([program.paste('one'), program.paste('two'), program.keys('\u001b[A')]),
      ['typed', 'typed', 'typed'],
    );
    assert.deepEqual(program.written, [pasted('one'), '\r', pasted('two'), '\r', '\u001b[A']);
    assert.equal(await program.paste('three', { submit: false }), 'typed');
    assert.equal(program.written.at(-1), pasted('three'));
  });

  it('presses cursor keys as the program wants them at that moment [DECCKM], and every other key as it is', async () => {
    const keys = [
      '\u001b[A',
      '\u001b[D',
      '\u001b[H',
      '\u001b[F',
      '\u001b[Z',
      '\u001b[5~',
      '\u001b',
      '\u0003',
      'A',
    ];
    for (const key of keys) await program.keys(key);
    program.hasApplicationKeys = true;
    for (const key of keys) await program.keys(key);
    const asked = ['\u001bOA', '\u001bOD', '\u001bOH', '\u001bOF', ...keys.slice(4)];
    assert.deepEqual(program.written, [...keys, ...asked]);
  });

  it('holds what the desk types until the Enter is through', async () => {
    const prompt = program.paste('one');
    await delay(5);
    program.desk('a');
    program.desk('b\r');
    assert.equal(await prompt, 'typed');
    assert.deepEqual(program.written, [pasted('one'), '\r', 'a', 'b\r']);
  });

  it('does not add to what somebody at the desk has begun, unless it must', async () => {
    program.desk('half a thought');
    assert.equal(await program.paste('one'), 'desk_is_typing');
    assert.deepEqual(program.written, ['half a thought']);
    assert.equal(await program.paste('one', { force: true }), 'typed');
    assert.equal(await program.paste('two'), 'typed', 'the Enter has sent off both');
    const prompt = program.paste('three');
    await delay(5);
    program.desk('x');
    assert.equal(await prompt, 'typed');
    assert.equal(await program.paste('four'), 'desk_is_typing', 'what was held counts, too');
    assert.equal(await program.keys('\r'), 'typed');
    assert.equal(await program.paste('four'), 'typed', 'an Enter from afar sends it off');
  });

  it('waits for a paste at the desk, and gives up when that does not end', async () => {
    program.desk(`${begin}abc`);
    const prompt = program.paste('one', { force: true });
    const keys = program.keys('x');
    await delay(60);
    assert.deepEqual(program.written, [`${begin}abc`]);
    program.desk(`def${end}`);
    assert.deepEqual(await Promise.all([prompt, keys]), ['typed', 'typed']);
    assert.deepEqual(program.written.slice(1), [`def${end}`, pasted('one'), '\r', 'x']);
    program.desk(`${begin}abc`);
    assert.equal(await program.paste('two', { force: true }), 'desk_is_typing');
    assert.equal(await program.keys('x'), 'desk_is_typing');
    assert.equal(program.written.at(-1), `${begin}abc`, 'nothing of it is written');
  });

  it('ends the paste of a desk that has gone', async () => {
    program.desk(`${begin}abc`);
    program.typist.deskLeft();
    assert.equal(program.written.at(-1), end);
    assert.equal(await program.paste('one'), 'desk_is_typing', 'what it pasted still stands there');
    const prompt = program.paste('one', { force: true });
    await delay(5);
    program.desk(`${begin}abc`);
    program.typist.deskLeft();
    assert.equal(await prompt, 'typed');
    assert.deepEqual(program.written.slice(-3), ['\r', `${begin}abc`, end]);
  });

  it('presses no Enter for a program that reads nothing, and adds nothing to what is left', async () => {
    program.takes = false;
    assert.equal(await program.paste('one'), 'unread');
    program.takes = true;
    assert.equal(await program.paste('two'), 'desk_is_typing');
    assert.deepEqual(program.written, [pasted('one')]);
  });

  it('takes no more than it can hold', async () => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => program.keys('x')));
    assert.equal(outcomes.filter(outcome => outcome === 'busy').length, 40 - 33);
    const prompt = program.paste('one');
    await delay(5);
    assert.equal(program.typist.isFull, false);
    program.typist.deskInput(Buffer.alloc(70_000, 'x'));
    assert.equal(program.typist.isFull, true);
    await prompt;
    assert.equal(program.typist.isFull, false);
  });

  it('tells everybody when the program ends', async () => {
    program.takes = false;
    const waiting = [program.paste('one'), program.paste('two'), program.keys('x')];
    await delay(60);
    program.typist.dispose();
    assert.deepEqual(await Promise.all(waiting), ['gone', 'gone', 'gone']);
    assert.equal(await program.paste('three'), 'gone');
  });
});
