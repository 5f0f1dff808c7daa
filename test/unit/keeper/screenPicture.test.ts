import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ScreenModel } from '../../../src/keeper/screenModel.ts';
import {
  maxPictureBytes,
  screenPage,
  screenPicture,
  type ScreenPage,
  type ScreenPicture,
} from '../../../core/protocol/screenPicture.ts';

const esc = '\u001b';

function model(columns = 20, rows = 4): ScreenModel {
  return new ScreenModel({ columns, rows }, { room: () => undefined, drawn: () => undefined });
}

/** Writes, and waits until it is drawn. */
function draw(screen: ScreenModel, output: string | Uint8Array): Promise<void> {
  screen.write(Buffer.from(output));
  return new Promise(resolve => screen.snapshot(() => resolve()));
}

function look(screen: ScreenModel, after?: number): ScreenPicture {
  const picture = screen.picture(after);
  assert.ok(picture, 'there is something new');
  return screenPicture.parse(JSON.parse(JSON.stringify(picture)));
}

function page(screen: ScreenModel, before: number, limit: number): ScreenPage {
  return screenPage.parse(JSON.parse(JSON.stringify(screen.page({ before, limit }))));
}

const textOf = ({ runs }: { runs: readonly { text: string }[] }): string =>
  runs.map(run => run.text).join('');
const texts = ({ changed }: ScreenPicture): string[] => changed.map(textOf);
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

async function pictured(
  output: string | Uint8Array,
  columns?: number,
  rows?: number,
): Promise<ScreenPicture> {
  const screen = model(columns, rows);
  await draw(screen, output);
  return look(screen);
}

describe('a picture of a terminal’s screen', () => {
  it('has each row’s text without the blanks at its end, and where the cursor is', async () => {
    const picture = await pictured('one\r\n  two   \r\n');
    assert.deepEqual(texts(picture), ['one', '  two', '', '']);
    assert.deepEqual(picture.cursor, { row: 2, column: 0, visible: true });
    assert.deepEqual([picture.columns, picture.rows, picture.alternate], [20, 4, false]);
  });

  it('has runs of one style each', async () => {
    const picture = await pictured(
      `a${esc}[1;31mb${esc}[22;48;5;200mc${esc}[0;38;2;1;2;255md${esc}[0;2;3;4;7me${esc}[0m f`,
    );
    assert.deepEqual(picture.changed[0]?.runs, [
      { text: 'a' },
      { text: 'b', fg: 1, bold: true },
      { text: 'c', fg: 1, bg: 200 },
      { text: 'd', fg: '#0102ff' },
      { text: 'e', dim: true, italic: true, underline: true, inverse: true },
      { text: ' f' },
    ]);
  });

  it('keeps blanks that can be seen: on a ground of their own, reversed or underlined', async () => {
    const picture = await pictured(
      `${esc}[44m  ${esc}[0m  \r\n${esc}[7m ${esc}[0m\r\n${esc}[4m ${esc}[0m   `,
    );
    assert.deepEqual(
      picture.changed.map(({ runs }) => runs),
      [[{ text: '  ', bg: 4 }], [{ text: ' ', inverse: true }], [{ text: ' ', underline: true }], []],
    );
  });

  it('has wide and combined characters whole, with the columns they take', async () => {
    const picture = await pictured('日本x\r\ne\u0301a\r\n😀!');
    assert.deepEqual(
      picture.changed.map(({ runs }) => runs),
      [[{ text: '日本x', cells: 5 }], [{ text: 'e\u0301a', cells: 2 }], [{ text: '😀!' }], []],
    );
  });

  it('gives characters the columns that programs count on', async () => {
    const widths = {
      e: 1,
      'e\u0301': 1,
      한: 2,
      ﾊ: 1,
      '🚀': 2,
      '✅': 2,
      '✔': 1,
      '│': 1,
      '👍🏽': 4,
      Ａ: 2,
      '𠀀': 2,
    };
    for (const [text, width] of Object.entries(widths))
      assert.deepEqual([text, (await pictured(text)).cursor.column], [text, width]);
  });

  it('has no control character, no override of direction and no half of a character [F14] [F15]', async () => {
    const odd = Buffer.concat([
      Buffer.from('a\u0007\u0000\u007f\u0085\u009bm\u202ec\u2066d\u2028e'),
      Buffer.from([0xed, 0xa0, 0xbd, 0x41, 0xff, 0xc3]),
    ]);
    const shown = texts(await pictured(odd, 60)).join('');
    assert.doesNotMatch(shown, /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\u2028\u2029]/u);
    assert.match(shown, /^acd e\ufffd*A/);
  });

  it('shows nothing of what the program hides, no link, and no title', async () => {
    const hidden = `${esc}[8msecret${esc}[0m ${esc}]8;;https://evil.example${esc}\\word${esc}]8;;${esc}\\${esc}]0;title\u0007`;
    const picture = await pictured(hidden);
    assert.deepEqual(texts(picture)[0], '       word');
    assert.doesNotMatch(JSON.stringify(picture), /secret|evil|title/);
  });

  it('is as before after a program wants the clipboard (OSC 52)', async () => {
    const screen = model();
    await draw(screen, 'x');
    const { revision } = look(screen);
    await draw(screen, `${esc}]52;c;c2VjcmV0\u0007${esc}]52;c;?\u0007`);
    assert.equal(screen.picture(revision), undefined);
  });

  it('tells what changed after a revision, and all of it when that is not known', async () => {
    const screen = model();
    await draw(screen, 'one\r\ntwo\r\nthree');
    const first = look(screen);
    assert.equal(screen.picture(first.revision), undefined);
    await draw(screen, `${esc}[2;1Hzwo`);
    const second = look(screen, first.revision);
    assert.deepEqual(second.changed, [{ row: 1, runs: [{ text: 'zwo' }] }]);
    assert.ok(second.revision > first.revision);
    await draw(screen, `${esc}[1;1Huno`);
    assert.deepEqual(
      look(screen, first.revision).changed.map(({ row }) => row),
      [0, 1],
      'what changed in two steps, in one',
    );
    for (const unknown of [undefined, 0, -1, 99_999]) assert.equal(look(screen, unknown).changed.length, 4);
  });

  it('is another one when the cursor moves, hides or comes back, and when its size changes', async () => {
    const screen = model();
    await draw(screen, 'x');
    let { revision } = look(screen);
    for (const output of [`${esc}[3;3H`, `${esc}[?25l`, `${esc}[!p`, `${esc}[?25l`, `${esc}[?1049h`]) {
      await draw(screen, output);
      const next = look(screen, revision);
      assert.equal(next.revision, revision + 1);
      ({ revision } = next);
    }
    assert.deepEqual([look(screen).alternate, look(screen).cursor.visible], [true, false]);
    screen.resize({ columns: 10, rows: 6 });
    const wider = look(screen, revision);
    assert.deepEqual([wider.columns, wider.rows], [10, 6]);
  });

  it('is not taken while the program is in the middle of one, unless that takes too long', async () => {
    const screen = model();
    await draw(screen, `${esc}[?2026hhalf`);
    assert.equal(screen.isInMotion, true);
    await draw(screen, `${esc}[?2026l`);
    assert.equal(screen.isInMotion, false);
  });

  it('puts together what a terminal shows, whatever is written and whenever it is looked at', async () => {
    const pieces = fc.constantFrom(
      'word ',
      '日本',
      '\r\n',
      `${esc}[31m`,
      `${esc}[0m`,
      `${esc}[2J`,
      `${esc}[H`,
      `${esc}[2;3H`,
      `${esc}[?1049h`,
      `${esc}[?1049l`,
      `${esc}[K`,
      `${esc}[1L`,
      'x'.repeat(25),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(pieces, fc.boolean()), { maxLength: 30 }), async steps => {
        const screen = model();
        const shown = new Map<number, unknown>();
        let revision: number | undefined;
        const see = (): void => {
          const picture = screen.picture(revision);
          if (picture === undefined) return;
          ({ revision } = picture);
          for (const { row, runs } of picture.changed) shown.set(row, runs);
        };
        for (const [piece, isLooked] of steps) {
          await draw(screen, piece);
          if (isLooked) see();
        }
        see();
        const whole = look(screen).changed.map(({ row, runs }) => [row, runs] as const);
        assert.deepEqual(
          [...shown].sort(([a], [b]) => a - b),
          whole,
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('a picture that would be too large', () => {
  const colourful = (columns: number, rows: number, text: string): string =>
    Array.from({ length: rows }, (_, row) =>
      Array.from(
        { length: columns / 2 },
        (__, column) => `${esc}[38;2;${String(row % 256)};${String(column % 256)};9m${text}`,
      ).join(''),
    ).join('');

  it('loses its styles first, and no text', async () => {
    const picture = await pictured(colourful(400, 100, 'ab'), 400, 100);
    assert.equal(picture.cut, 'styles');
    assert.deepEqual(picture.changed[0]?.runs, [{ text: 'ab'.repeat(200) }]);
    assert.ok(sizeOf(picture) <= maxPictureBytes);
  });

  it('loses the ends of its rows then, never half of a character', async () => {
    for (const text of ['日', '😀', '\\"', `a\u0301b`]) {
      const picture = await pictured(colourful(600, 300, text), 600, 300);
      assert.equal(picture.cut, 'text');
      assert.equal(picture.changed.length, 300);
      assert.doesNotMatch(textOf(picture.changed[0] ?? { runs: [] }), /\p{Cs}/u);
      const size = sizeOf(picture);
      assert.ok(size <= maxPictureBytes && size > maxPictureBytes / 2, String(size));
    }
  });

  it('is bounded though a cell has a tower of marks', async () => {
    const picture = await pictured(`a${'\u0301'.repeat(10_000)}b`);
    assert.ok(sizeOf(picture) < 2_000);
  });
});

describe('the lines above a terminal’s screen', () => {
  const lines = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, index) => `line ${String(from + index)}\r\n`).join('');

  it('can be read page by page, at most 1,000 of them', async () => {
    const screen = model();
    await draw(screen, lines(0, 2_500));
    const { scrollback } = look(screen);
    assert.equal(scrollback.count, 1_000);
    const seen: string[] = [];
    for (let before = scrollback.first + scrollback.count; before > scrollback.first;) {
      const { from, lines: found } = page(screen, before, 200);
      seen.unshift(...found.map(textOf));
      assert.equal(found.length, 200);
      before = from;
    }
    assert.deepEqual([seen[0], seen.at(-1), seen.length], ['line 1497', 'line 2496', 1_000]);
    assert.deepEqual(page(screen, scrollback.first, 200).lines, [], 'and nothing before');
  });

  it('keep their numbers while more is written', async () => {
    const screen = model();
    const meaning = new Map<number, string>();
    for (let at = 0; at < 6_000; at += 97) {
      await draw(screen, lines(at, at + 97));
      if (at % 4 === 0) await draw(screen, `${esc}[?1049h\r\n\r\n\r\n\r\n\r\n${esc}[?1049l`);
      const { first, count } = look(screen).scrollback;
      for (const before of [first + 100, first + count]) {
        const { from, lines: found } = page(screen, before, 50);
        found.forEach((line, index) => {
          const known = meaning.get(from + index);
          if (known !== undefined) assert.equal(textOf(line), known);
          meaning.set(from + index, textOf(line));
        });
      }
    }
    assert.ok(meaning.size > 2_000);
  });

  it('get new numbers when a number could come to mean another line', async () => {
    const afresh: readonly (readonly [string, (screen: ScreenModel) => Promise<void>])[] = [
      ['another width', async screen => screen.resize({ columns: 7, rows: 4 })],
      ['a full reset', screen => draw(screen, `${esc}c${lines(0, 50)}`)],
      ['more than is kept in one piece', screen => draw(screen, '\n'.repeat(3_000))],
      [
        'another width under a program’s own screen',
        async screen => {
          await draw(screen, `${esc}[?1049h`);
          screen.resize({ columns: 7, rows: 4 });
          await draw(screen, `${esc}[?1049l`);
        },
      ],
    ];
    for (const [what, happens] of afresh) {
      const screen = model();
      await draw(screen, lines(0, 100));
      const { first, count } = look(screen).scrollback;
      await happens(screen);
      assert.ok(look(screen).scrollback.first >= first + count, what);
    }
  });

  it('are gone when the program clears them', async () => {
    const screen = model();
    await draw(screen, lines(0, 100));
    const { first, count } = look(screen).scrollback;
    await draw(screen, `${esc}[3J`);
    const cleared = look(screen).scrollback;
    assert.equal(cleared.count, 0);
    assert.ok(cleared.first >= first + count);
  });

  it('are cut like a picture when they would be too large', async () => {
    const screen = model(800);
    const row = Array.from({ length: 799 }, (_, at) => `${esc}[3${String(at % 8)}mx`).join('');
    await draw(screen, `${row}\r\n`.repeat(300));
    const read = page(screen, 200, 200);
    assert.equal(read.cut, 'styles');
    assert.ok(sizeOf(read) <= maxPictureBytes);
  });
});
