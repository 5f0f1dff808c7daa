import assert from 'node:assert/strict';
import { cellPieces } from '../../../phone/views/terminal/cellPieces.ts';

describe('the columns of a terminal’s line on the phone', () => {
  it('are the font’s own for plain text', () => {
    assert.deepEqual(cellPieces({ text: 'npm test' }), [{ text: 'npm test' }]);
  });

  it('are given to what another font may draw: what follows stands where it belongs', () => {
    assert.deepEqual(cellPieces({ text: '│ a ──┐' }), [
      { text: '│', cells: 1 },
      { text: ' a ' },
      { text: '──┐', cells: 3 },
    ]);
    assert.deepEqual(cellPieces({ text: 'a 日本 b', cells: 8 }), [
      { text: 'a ' },
      { text: '日本', cells: 4 },
      { text: ' b' },
    ]);
    // One of two columns that is two units long.
    assert.deepEqual(cellPieces({ text: '😀!' }), [{ text: '😀', cells: 2 }, { text: '!' }]);
    assert.deepEqual(cellPieces({ text: 'ae\u0301!', cells: 3 }), [
      { text: 'a' },
      { text: 'e\u0301', cells: 1 },
      { text: '!' },
    ]);
  });

  it('are given to the whole where nobody can say which characters are the wide ones', () => {
    assert.deepEqual(cellPieces({ text: '日 é', cells: 5 }), [{ text: '日 é', cells: 5 }]);
  });
});
