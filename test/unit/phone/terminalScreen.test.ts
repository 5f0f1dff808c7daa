import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ScreenPicture } from '../../../core/protocol/screenPicture.ts';
import {
  addPage,
  keptLines,
  linesAbove,
  missingLines,
  noOlderLines,
  pageBefore,
  pageOfMissing,
  type OlderLines,
} from '../../../phone/state/olderLines.ts';
import {
  applyPicture,
  lineText,
  type Line,
  type TerminalScreen,
} from '../../../phone/state/terminalScreen.ts';

const id = 'a'.repeat(16);
const line = (text: string): Line => (text === '' ? [] : [{ text }]);

function picture(revision: number, rows: readonly string[], changed?: readonly number[]): ScreenPicture {
  return {
    revision,
    columns: 10,
    rows: rows.length,
    cursor: { row: 0, column: 0, visible: true },
    alternate: false,
    scrollback: { first: 0, count: 0 },
    changed: rows.flatMap((text, row) =>
      changed === undefined || changed.includes(row) ? [{ row, runs: [...line(text)] }] : [],
    ),
  };
}

function applied(known: TerminalScreen | undefined, told: ScreenPicture): TerminalScreen {
  const screen = applyPicture(known, id, told);
  assert.ok(screen);
  return screen;
}

describe('a terminal’s screen, as a phone rebuilds it', () => {
  it('is what the picture says, and then what changes of it; the other rows stay the same objects', () => {
    const first = applied(undefined, picture(1, ['a', 'b', 'c']));
    const next = applied(first, picture(2, ['a', 'B', 'c'], [1]));
    assert.deepEqual(next.rows.map(lineText), ['a', 'B', 'c']);
    assert.equal(next.revision, 2);
    assert.equal(next.rows[0], first.rows[0]);
    assert.equal(next.rows[2], first.rows[2]);
    const moved = applied(next, {
      ...picture(3, ['a', 'B', 'c'], []),
      cursor: { row: 2, column: 1, visible: false },
    });
    assert.deepEqual(moved.cursor, { row: 2, column: 1, visible: false });
    assert.equal(moved.rows[1], next.rows[1]);
  });

  it('is asked for whole when a change is of something that is not known', () => {
    assert.equal(applyPicture(undefined, id, picture(7, ['a', 'b'], [1])), undefined);
    const first = applied(undefined, picture(1, ['a', 'b']));
    assert.equal(
      applyPicture(first, 'b'.repeat(16), picture(2, ['a', 'x'], [1])),
      undefined,
      'another terminal',
    );
    assert.equal(
      applyPicture(first, id, picture(2, ['a', 'b', 'c'], [0])),
      undefined,
      'a row that nobody told',
    );
    assert.deepEqual(applied(first, picture(2, ['z', 'b', 'c'])).rows.map(lineText), ['z', 'b', 'c']);
  });

  it('takes the desk’s new size, and what lies outside of it nowhere', () => {
    const first = applied(undefined, picture(1, ['a', 'b', 'c']));
    const small = applied(first, {
      ...picture(2, ['a', 'b'], []),
      cursor: { row: 5, column: 50, visible: true },
    });
    assert.deepEqual(small.rows.map(lineText), ['a', 'b']);
    assert.deepEqual([small.cursor.row, small.cursor.column], [1, 9]);
    const odd = picture(3, ['x', 'y']);
    odd.changed.push({ row: 9, runs: [{ text: 'outside' }] });
    assert.equal(applied(small, odd).rows.length, 2);
  });

  it('remembers what was cut until all of it comes again', () => {
    const first = applied(undefined, { ...picture(1, ['a', 'b']), cut: 'styles' });
    const next = applied(first, picture(2, ['a', 'B'], [1]));
    assert.equal(next.cut, 'styles');
    assert.equal(applied(next, picture(3, ['a', 'b'])).cut, undefined);
  });

  it('is the same however many changes lie between two looks', () => {
    const row = fc.constantFrom('', 'a', 'b', 'c');
    const screens = fc.array(fc.array(row, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(screens, fc.infiniteStream(fc.boolean()), (states, looks) => {
        let known: TerminalScreen | undefined;
        states.forEach((rows, index) => {
          const isLast = index === states.length - 1;
          if (!isLast && looks.next().value !== true) return;
          const before = known?.revision === undefined ? undefined : states[known.revision - 1];
          const changed = before && rows.flatMap((text, at) => (text === before[at] ? [] : [at]));
          known = applied(known, picture(index + 1, rows, changed));
        });
        assert.deepEqual(known?.rows.map(lineText), states.at(-1));
      }),
    );
  });
});

describe('the lines above a terminal’s screen, as a phone has them', () => {
  const page = (from: number, to: number) => ({
    scrollback: { first: 0, count: to },
    from,
    lines: Array.from({ length: to - from }, (_, index) => ({ runs: [{ text: String(from + index) }] })),
  });
  const range = ({ from, lines }: OlderLines): readonly number[] => {
    lines.forEach((runs, index) => assert.equal(lineText(runs), String(from + index)));
    return [from, from + lines.length];
  };

  it('begin with the newest page, and go on to the first line that is kept', () => {
    const scrollback = { first: 40, count: 460 };
    let older = keptLines(noOlderLines, scrollback);
    const asked: unknown[] = [];
    for (;;) {
      const next = pageOfMissing(older, scrollback, false) ?? pageBefore(older, scrollback);
      if (next === undefined) break;
      asked.push(next);
      older = keptLines(addPage(older, page(next.before - next.limit, next.before)), scrollback);
    }
    assert.deepEqual(range(older), [40, 500]);
    assert.deepEqual(asked, [
      { before: 500, limit: 200 },
      { before: 300, limit: 200 },
      { before: 100, limit: 60 },
    ]);
  });

  it('are joined with what leaves the screen meanwhile: at once by who reads them, else anew when it is much', () => {
    const older = addPage(noOlderLines, page(300, 500));
    const little = { first: 0, count: 620 };
    assert.equal(missingLines(older, little), 120);
    assert.deepEqual(pageOfMissing(older, little, false), { before: 620, limit: 120 });
    assert.deepEqual(range(addPage(older, page(500, 620))), [300, 620]);
    const much = { first: 0, count: 900 };
    assert.deepEqual(pageOfMissing(older, much, true), { before: 700, limit: 200 });
    assert.deepEqual(pageOfMissing(older, much, false), { before: 900, limit: 200 });
    assert.deepEqual(range(addPage(older, page(700, 900))), [700, 900], 'without a hole');
    assert.deepEqual(range(addPage(older, page(100, 200))), [300, 500], 'an answer that came too late');
  });

  it('are forgotten as the terminal forgets them', () => {
    const older = addPage(noOlderLines, page(300, 500));
    assert.deepEqual(range(keptLines(older, { first: 420, count: 80 })), [420, 500]);
    assert.equal(keptLines(older, { first: 300, count: 250 }), older);
    for (const anew of [
      { first: 500, count: 0 },
      { first: 700, count: 100 },
    ])
      assert.deepEqual(keptLines(older, anew), { from: anew.first + anew.count, lines: [] });
  });

  it('are above the screen alone, though a page was read later than that', () => {
    const older = addPage(noOlderLines, page(300, 500));
    assert.equal(linesAbove(older, { first: 0, count: 450 }).length, 150);
    assert.equal(linesAbove(older, { first: 0, count: 600 }), older.lines);
    assert.equal(pageOfMissing(older, { first: 0, count: 450 }, false), undefined);
    assert.equal(pageOfMissing(noOlderLines, { first: 0, count: 0 }, false), undefined);
    assert.equal(pageBefore(noOlderLines, { first: 0, count: 100 }), undefined);
  });
});
