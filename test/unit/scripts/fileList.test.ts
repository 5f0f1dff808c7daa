import assert from 'node:assert/strict';
import { compareLists, stableName } from '../../../scripts/suites/fileList.mjs';

describe('the list of packaged files', () => {
  it('keeps a name and drops the content hash in it', () => {
    assert.equal(stableName('dist/phone/assets/main-4KX7QZ2B.js.br'), 'dist/phone/assets/main-HASH.js.br');
    assert.equal(stableName('dist/phone/assets/main-ABCDEFGH.css'), 'dist/phone/assets/main-HASH.css');
    assert.equal(stableName('dist/extension.cjs'), 'dist/extension.cjs');
    assert.equal(stableName('l10n/bundle.l10n.json'), 'l10n/bundle.l10n.json');
  });

  it('names what is missing and what is too much', () => {
    assert.deepEqual(compareLists(['a', 'b'], ['b', 'c']), { missing: ['a'], unexpected: ['c'] });
  });
});
