import assert from 'node:assert/strict';
import { blockId } from '../../../../core/protocol/ids.ts';
import { limits } from '../../../../core/protocol/limits.ts';
import { patchDiff } from '../../../../src/adapters/claude/patchDiff.ts';

const call = blockId.parse('toolu_1');

describe('the diff of an edit by Claude Code', () => {
  it('is unified, with counts of what was added and removed', () => {
    const diff = patchDiff(call, {
      filePath: '/work/a.txt',
      structuredPatch: [
        { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' one', '-two', '+TWO'] },
        { oldStart: 9, oldLines: 1, newStart: 9, newLines: 2, lines: [' nine', '+ten'] },
      ],
    });
    assert.deepEqual(diff, {
      type: 'diff',
      id: 'toolu_1.diff',
      path: '/work/a.txt',
      unified:
        '--- a/work/a.txt\n+++ b/work/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n@@ -9,1 +9,2 @@\n nine\n+ten\n',
      truncated: false,
      added: 2,
      removed: 1,
      tool_call_id: 'toolu_1',
    });
  });

  it('of a new file is all of it', () => {
    const diff = patchDiff(call, { type: 'create', filePath: '/b', content: 'x\ny\n', structuredPatch: [] });
    assert.equal(diff?.unified, '--- /dev/null\n+++ b/b\n@@ -0,0 +1,2 @@\n+x\n+y\n');
    assert.deepEqual([diff.added, diff.removed], [2, 0]);
  });

  it('is cut at its bound, and says so; the counts are of the whole', () => {
    const content = 'line\n'.repeat(limits.bulkChars);
    const diff = patchDiff(call, { type: 'create', filePath: '/b', content, structuredPatch: [] });
    assert.equal(diff?.truncated, true);
    assert.ok(diff.unified.length <= limits.bulkChars);
    assert.equal(diff.added, limits.bulkChars);
  });

  it('is none for results of other tools and for edits that changed nothing', () => {
    for (const other of [undefined, 'Error: no', { stdout: 'x' }, { filePath: '/a', structuredPatch: [] }])
      assert.equal(patchDiff(call, other), undefined);
  });
});
