import assert from 'node:assert/strict';
import { diffRows } from '../../../phone/views/session/diffRows.ts';

describe('rows of a diff', () => {
  it('counts removed lines in the old file and all others in the new one', () => {
    const rows = diffRows('--- a/x\n+++ b/x\n@@ -3,3 +3,4 @@ function x()\n a\n-b\n+B\n+C\n d\n');
    assert.deepEqual(rows, [
      { kind: 'hunk', text: 'function x()' },
      { kind: 'context', line: 3, text: 'a' },
      { kind: 'removed', line: 4, text: 'b' },
      { kind: 'added', line: 4, text: 'B' },
      { kind: 'added', line: 5, text: 'C' },
      { kind: 'context', line: 6, text: 'd' },
    ]);
  });

  it('does not take content for a file name', () => {
    const rows = diffRows('--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- old\n+++ new\n');
    assert.deepEqual(rows, [
      { kind: 'removed', line: 1, text: '-- old' },
      { kind: 'added', line: 1, text: '++ new' },
    ]);
  });

  it('keeps an empty line, and the note about a missing newline', () => {
    const rows = diffRows('@@ -1,2 +1,2 @@\n a\n\n+b\n\\ No newline at end of file\n');
    assert.deepEqual(rows, [
      { kind: 'context', line: 1, text: 'a' },
      { kind: 'context', line: 2, text: '' },
      { kind: 'added', line: 3, text: 'b' },
      { kind: 'note', text: 'No newline at end of file' },
    ]);
  });

  it('marks where lines were left out', () => {
    const rows = diffRows('@@ -1 +1 @@\n+a\n@@ -40 +41 @@\n+b\n');
    assert.deepEqual(
      rows.map(row => row.kind),
      ['added', 'hunk', 'added'],
    );
  });

  it('gives nothing for a text that is no diff', () => {
    assert.deepEqual(diffRows('Binary files differ\n'), []);
  });
});
