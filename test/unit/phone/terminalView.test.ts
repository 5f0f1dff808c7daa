import assert from 'node:assert/strict';
import { errorCode } from '../../../core/protocol/errorCode.ts';
import { fontPx, rowPx } from '../../../phone/views/terminal/fontPx.ts';
import { screenFailureText } from '../../../phone/views/terminal/screenFailureText.ts';
import { shownRows, spokenLine } from '../../../phone/views/terminal/shownRows.ts';

const cell = 0.6;
const rowsOf = (...texts: string[]) => texts.map(text => (text === '' ? [] : [{ text }]));
const cursor = (row: number, visible = true) => ({ row, column: 0, visible });

describe('how a terminal is drawn on the phone', () => {
  it('is as large as lets all columns fit, unless nobody could read that', () => {
    for (const columns of [20, 45, 60, 65]) {
      const size = fontPx(374, columns, cell);
      assert.ok(size * cell * columns <= 374, `${String(columns)} columns fit`);
      assert.ok(size >= 9 && size <= 14);
    }
    assert.equal(fontPx(374, 120, cell), 9, 'the rest is scrolled to');
    assert.equal(fontPx(2_000, 80, cell), 14);
    assert.ok(Number.isInteger(rowPx(9.25)) && rowPx(9) > 9);
  });

  it('ends with the last row that shows something, or with the cursor', () => {
    const rows = rowsOf('a', '', 'b', '', '');
    assert.equal(shownRows({ rows, cursor: cursor(0) }).length, 3);
    assert.equal(shownRows({ rows, cursor: cursor(3) }).length, 4);
    assert.equal(shownRows({ rows, cursor: cursor(4, false) }).length, 3);
    assert.equal(shownRows({ rows: rowsOf('', ''), cursor: cursor(0) }).length, 1);
  });

  it('is told by the line of its cursor, or by the last one', () => {
    const rows = rowsOf('● Run npm test', '  Allow it? (y/n) ', '', '? for help');
    assert.equal(spokenLine({ rows, cursor: cursor(1) }), 'Allow it? (y/n)');
    assert.equal(spokenLine({ rows, cursor: cursor(2) }), '? for help');
    assert.equal(spokenLine({ rows, cursor: cursor(1, false) }), '? for help');
    assert.equal(spokenLine({ rows: rowsOf('', ''), cursor: cursor(0) }), '');
  });

  it('says in words why it is not shown', () => {
    assert.match(screenFailureText('not_owner'), /Guests/);
    assert.match(screenFailureText('unknown'), /did not answer/);
    assert.equal(screenFailureText(errorCode.parse('stale_session')), 'The session has ended');
  });
});
