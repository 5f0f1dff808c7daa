import assert from 'node:assert/strict';
import { readSetting, setSetting } from '../../../scripts/start/setSetting.mjs';

const name = 'terminull.relayUrl';

describe('setting one setting in a settings file', () => {
  it('writes a file where there was none, and fills an empty one', () => {
    assert.deepEqual(JSON.parse(setSetting('', name, 'http://a')), { [name]: 'http://a' });
    assert.deepEqual(JSON.parse(setSetting('{}\n', name, 'http://a')), { [name]: 'http://a' });
    assert.deepEqual(JSON.parse(setSetting('{\n}\n', name, 'http://a')), { [name]: 'http://a' });
  });

  it('replaces an old value, whatever is in it, and keeps the rest', () => {
    const before = JSON.stringify({ 'editor.fontSize': 14, [name]: 'http://"old"\\', z: [1] }, null, 2);
    assert.deepEqual(JSON.parse(setSetting(before, name, 'http://$1/new')), {
      'editor.fontSize': 14,
      [name]: 'http://$1/new',
      z: [1],
    });
  });

  it('reads back what it wrote, and nothing where nothing is', () => {
    assert.equal(readSetting(setSetting('', name, 'http://"a"'), name), 'http://"a"');
    assert.equal(readSetting('{ "terminull.relayUrlOld": "x" }', name), undefined);
  });

  it('replaces it also where all stands in one line', () => {
    const after = setSetting(`{ "a": 1, "${name}": "old" }`, name, 'new');
    assert.equal(after, `{ "a": 1, "${name}": "new" }`);
  });

  it('adds it to other settings and keeps comments', () => {
    const before = '// mine {\n{\n  // large\n  "editor.fontSize": 14\n}\n';
    const after = setSetting(before, name, 'http://a');
    assert.ok(after.startsWith('// mine {\n{\n  "terminull.relayUrl": "http://a",\n  // large\n'));
  });
});
