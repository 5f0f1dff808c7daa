import assert from 'node:assert/strict';
import { readClosingLine } from '../../../scripts/editorHost/closingLine.mjs';

describe('the closing line of a run in the extension host', () => {
  it('gives the counts, with or without the mark of the host', () => {
    assert.deepEqual(readClosingLine('  ✔ works\nSUITE DONE tests=3 failures=0\nExit code: 0\n'), {
      passed: 3,
      failed: 0,
    });
    assert.deepEqual(readClosingLine('[host] SUITE DONE tests=3 failures=2\n'), { passed: 1, failed: 2 });
  });

  it('is missed when the host ended before it', () => {
    assert.equal(readClosingLine('  ✔ works\nExit code:   0\n'), undefined);
    assert.equal(readClosingLine('SUITE DONE tests= failures=0'), undefined);
    assert.equal(readClosingLine('a test prints SUITE DONE tests=1 failures=0'), undefined);
  });
});
