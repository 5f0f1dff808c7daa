import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { KeptTerminals, untilTrue } from '../../fakes/keptTerminals.ts';
import { seededUnit } from '../../fakes/mutator.ts';

const recorder = join(import.meta.dirname, '../../fakes/recorder.ts');
const runs = 50;
const signal = new AbortController().signal;
const begin = Buffer.from('\u001b[200~');
const end = Buffer.from('\u001b[201~');
const enter = Buffer.from('\r');

interface TypingCase {
  readonly name: string;
  readonly isMarked: boolean;
  text(unit: () => number): string;
}

/** Exactly so many bytes, from an alphabet of characters that are equally long. */
function filled(bytes: number, alphabet: string, unit: () => number): string {
  const characters = Array.from(alphabet);
  const each = Buffer.byteLength(characters[0] ?? 'x');
  const text = Array.from(
    { length: Math.floor(bytes / each) },
    () => characters[Math.floor(unit() * characters.length)] ?? '',
  ).join('');
  return text.padEnd(text.length + (bytes % each), '.');
}

const ascii = 'abcdefghijklmnopqrstuvwxyz ABC 0123456789 "\'\\/$`{}[]~;#\n\t';
const cases: readonly TypingCase[] = [
  { name: '1 KB', isMarked: true, text: unit => filled(1_024, ascii, unit) },
  { name: '4 KB', isMarked: true, text: unit => filled(4_096, ascii, unit) },
  { name: '64 KB', isMarked: true, text: unit => filled(65_536, ascii, unit) },
  {
    name: '120 lines',
    isMarked: true,
    text: unit =>
      Array.from(
        { length: 120 },
        (_, line) => `${String(line)} ${filled(40, 'abc – x'.replace('– ', ''), unit)}`,
      ).join('\n'),
  },
  { name: 'CJK', isMarked: true, text: unit => filled(3_000, '日本語中文字測試한국어、。', unit) },
  { name: 'emoji', isMarked: true, text: unit => filled(2_000, '😀🚀👍🏽👩💻🇯🇵', unit) },
  {
    name: '1,600 bytes, to a program that does not tell a paste from typing',
    isMarked: false,
    text: unit => `<${filled(1_600, ascii.replace('\n', ''), unit)}>`,
  },
];

/** What a program read, one read after the other. */
function readsOf(path: string): Buffer[] {
  return readFileSync(path, 'latin1')
    .split('\n')
    .filter(Boolean)
    .map(line => Buffer.from(line, 'base64'));
}

/**
 * Takes the texts, in their order, out of what was read.
 *
 * @returns what else was read
 */
function withoutTexts(reads: readonly Buffer[], texts: readonly Buffer[]): Buffer {
  const all = Buffer.concat(reads);
  const starts = new Set<number>();
  let at = 0;
  for (const read of reads) {
    starts.add(at);
    at += read.length;
  }
  const rest: Buffer[] = [];
  let from = 0;
  for (const [index, text] of texts.entries()) {
    const found = all.indexOf(text, from);
    assert.ok(found >= 0, `text ${String(index)} is there, byte by byte, after the one before it`);
    const after = found + text.length;
    assert.deepEqual(all.subarray(after, after + 1), enter, `an Enter follows text ${String(index)}`);
    assert.ok(starts.has(after) && (starts.has(after + 1) || after + 1 === all.length), 'by itself');
    rest.push(all.subarray(from, found));
    from = after + 1;
  }
  rest.push(all.subarray(from));
  return Buffer.concat(rest);
}

describe('typing from afar, byte by byte, while the program repaints and the desk types [F19] [F20] [F24]', function () {
  this.timeout(120_000);
  const terminals = new KeptTerminals();
  after(() => terminals.dispose());
  let outcomes: ReadonlyMap<string, () => void> = new Map();

  before(async () => {
    const proven = cases.map(async (each, index) => [each.name, await prove(each, 1_000 + index)] as const);
    outcomes = new Map(await Promise.all(proven));
  });

  /** @returns what tells whether it went well */
  async function prove(each: TypingCase, seed: number): Promise<() => void> {
    const unit = seededUnit(seed);
    const log = join(terminals.folder, `log-${String(seed)}`);
    const mode = each.isMarked ? 'marked' : 'plain';
    const { terminal, address } = await terminals.start([
      process.execPath,
      recorder,
      log,
      String(seed),
      mode,
    ]);
    const desk = terminals.sit(address, { columns: 80, rows: 10 });
    await untilTrue('it is ready', () => desk.tail.includes('ready'));
    const over = new AbortController();
    let typed = '';
    const typing = (async () => {
      for (let key = 0; !over.signal.aborted; key += 1) {
        await delay(unit() * 60);
        const keys = `k${String(key)}${unit() < 0.3 ? '\r' : ''}`;
        typed += keys;
        desk.type(keys);
      }
    })();
    const texts: Buffer[] = [];
    const send = async (): Promise<void> => {
      const text = each.text(unit);
      const whole = each.isMarked
        ? Buffer.concat([begin, Buffer.from(text), end])
        : Buffer.from(text.replaceAll('\n', '\r'));
      texts.push(whole);
      assert.deepEqual(await terminal.paste(text, { submit: true, force: true }, signal), {
        ok: true,
        value: 'typed',
      });
    };
    for (let run = 0; run < runs;) {
      // Now and then two at once: two phones, or one that is fast.
      const together = Math.min(unit() < 0.3 ? 2 : 1, runs - run);
      await Promise.all(Array.from({ length: together }, send));
      run += together;
    }
    over.abort();
    await typing;
    const expected = texts.reduce((sum, text) => sum + text.length + enter.length, typed.length);
    const isRead = (): boolean => readsOf(log).reduce((sum, read) => sum + read.length, 0) >= expected;
    // What is missing is said by the test, with more than its length.
    await untilTrue('all of it is read', isRead, 5_000).catch(() => undefined);
    return () => {
      const left = withoutTexts(readsOf(log), texts);
      assert.equal(texts.length, runs);
      assert.ok(left.toString('latin1') === typed, 'and all that the desk typed, outside of them');
    };
  }

  for (const { name } of cases)
    it(`${name}, ${String(runs)} times`, () => {
      const check = outcomes.get(name);
      assert.ok(check);
      check();
    });
});

describe('typing from afar when somebody at the desk has begun, byte by byte [F24]', function () {
  this.timeout(60_000);
  const terminals = new KeptTerminals();
  after(() => terminals.dispose());
  const wait = { submit: true };

  it('adds nothing to what Up has fetched, or to where the cursor was moved, and goes in whole once that is sent off', async () => {
    const log = join(terminals.folder, 'log-begun');
    const { terminal, address } = await terminals.start([process.execPath, recorder, log, '7', 'marked']);
    const desk = terminals.sit(address, { columns: 80, rows: 10 });
    await untilTrue('it is ready', () => desk.tail.includes('ready'));
    const read = (): string => Buffer.concat(readsOf(log)).toString('latin1');
    let expected = '';
    const keys = [
      '\u001b[A',
      '\u001bOA',
      '\u001b[D',
      '\u001b[H',
      '\u001b[3~',
      '\t',
      '\u0010',
      '\u007f',
      '\u001bb',
    ];
    for (const [index, key] of keys.entries()) {
      desk.type(key);
      await untilTrue('the key is read', () => read() === expected + key);
      const text = `prompt ${String(index)}`;
      assert.deepEqual(await terminal.paste(text, wait, signal), { ok: false, code: 'desk_is_typing' });
      assert.equal(read(), expected + key, 'nothing of it came in');
      desk.type('\r');
      await untilTrue('it is sent off', () => read() === `${expected}${key}\r`);
      assert.deepEqual(await terminal.paste(text, wait, signal), { ok: true, value: 'typed' });
      expected += `${key}\r${begin.toString()}${text}${end.toString()}\r`;
      await untilTrue('the prompt is read', () => read() === expected);
    }
    for (const key of ['\u001b[5~', '\u001b[Z', '\u001b[I', '\u001b[<64;1;1M']) {
      desk.type(key);
      await untilTrue('the key is read', () => read() === expected + key);
      assert.deepEqual(await terminal.paste('x', wait, signal), { ok: true, value: 'typed' }, 'no draft');
      expected += `${key}${begin.toString()}x${end.toString()}\r`;
      await untilTrue('the prompt is read', () => read() === expected);
    }
  });
});
