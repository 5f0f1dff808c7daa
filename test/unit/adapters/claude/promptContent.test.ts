import assert from 'node:assert/strict';
import { claudeAttachments, promptContent } from '../../../../src/adapters/claude/promptContent.ts';

const file = (mime: string, text: string, name = 'a.txt') => ({ mime, name, bytes: Buffer.from(text) });

describe('a prompt with files for Claude Code', () => {
  it('is a text when there are none', () => {
    assert.equal(promptContent('look', []), 'look');
  });

  it('has pictures as they are and texts with their names, before its own words', () => {
    const odd = file('text/markdown', '# Title\n', '../"x".md');
    assert.deepEqual(promptContent('look', [file('image/png', 'abc'), odd]), [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'YWJj' } },
      { type: 'text', text: 'The file "..__x_.md", which the user sends along:\n\n# Title\n' },
      { type: 'text', text: 'look' },
    ]);
  });

  it('takes no other kind, and no more than fits a line', () => {
    assert.throws(() => promptContent('x', [file('application/zip', 'PK')]), RangeError);
    const bytes = new Uint8Array(claudeAttachments.totalBytes / 2 + 1);
    const large = { mime: 'image/png', name: 'a.png', bytes };
    assert.throws(() => promptContent('x', [large, large]), RangeError);
    assert.ok(JSON.stringify(promptContent('x', [large])).length < 4 * 1_048_576);
  });
});
