import assert from 'node:assert/strict';
import { visibleText } from '../../../phone/views/parts/visibleText.ts';

function hidden(text: string): readonly string[] {
  return visibleText(text).flatMap(span => (span.hidden ? [span.text] : []));
}

describe('text in which nothing can hide', () => {
  it('writes out what moves or hides other characters', () => {
    assert.deepEqual(hidden('a\u202eb\u2066c\u200bd\ufeffe'), [
      '\\u{202e}',
      '\\u{2066}',
      '\\u{200b}',
      '\\u{feff}',
    ]);
  });

  it('writes out control characters, but not newline and tab', () => {
    assert.deepEqual(hidden('a\nb\tc\rd\u001b[2Ke\u0000f\u0085g'), ['\\r', '\\e', '\\u{0000}', '\\u{0085}']);
  });

  it('writes out spaces that only look like one, line separators, and letters drawn as nothing', () => {
    assert.deepEqual(hidden('a\u00a0b\u2028c\u3164d\u2800e'), [
      '\\u{00a0}',
      '\\u{2028}',
      '\\u{3164}',
      '\\u{2800}',
    ]);
  });

  it('writes out characters beyond the first plane, and halves of a pair', () => {
    assert.deepEqual(hidden('a\u{e0041}b\ud800c'), ['\\u{e0041}', '\\u{d800}']);
  });

  it('leaves what can be seen as it is, in any script', () => {
    const text = 'npm run build && echo "日本語　テキスト 🚀 עברית"';
    assert.deepEqual(visibleText(text), [{ text, hidden: false }]);
  });

  it('loses nothing of the rest', () => {
    const shown = visibleText('rm\u200b -rf /').map(span => span.text);
    assert.equal(shown.join(''), 'rm\\u{200b} -rf /');
    assert.deepEqual(visibleText(''), []);
  });
});
