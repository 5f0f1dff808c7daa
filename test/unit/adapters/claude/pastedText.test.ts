import assert from 'node:assert/strict';
import { withoutPasteMarks } from '../../../../src/adapters/claude/pastedText.ts';

describe('a prompt that was pasted', () => {
  it('is told without the marks that Claude Code puts around it for the model', () => {
    const marked =
      'look:\n\n<pasted_content id="6173">\none\ntwo\n</pasted_content id="6173">\n and <pasted_content id="6173">\nthree\n</pasted_content id="6173">';
    assert.equal(withoutPasteMarks(marked), 'look:\n\none\ntwo\n and three');
  });

  it('is left alone where marks do not belong together', () => {
    for (const text of [
      '<pasted_content id="1">\none',
      '<pasted_content id="1">\none\n</pasted_content id="2">',
    ])
      assert.equal(withoutPasteMarks(text), text);
  });
});
