import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copiedFrom } from '../../../../src/adapters/claude/copiedRecords.ts';
import { answer, chain, prompt, type ChainLine } from './chainLines.ts';

describe('what one conversation of Claude Code has of another', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tn-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function file(name: string, lines: readonly ChainLine[]): string {
    const path = join(folder, name);
    writeFileSync(path, lines.map(({ text }) => `${text}\n`).join(''));
    return path;
  }
  const bytes = (lines: readonly ChainLine[]): number =>
    lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0);

  it('is what both begin with', async () => {
    const old = chain([prompt('one'), answer('m', 'to one')]);
    const added = chain([prompt('two')], { after: old[1]?.uuid ?? '' });
    const origin = file('a.jsonl', old);
    assert.equal(await copiedFrom(origin, file('b.jsonl', [...old, ...added])), bytes(old));
    assert.equal(await copiedFrom(origin, file('c.jsonl', chain([prompt('other')]))), 0);
    assert.equal(await copiedFrom(origin, join(folder, 'none.jsonl')), 0);
    assert.equal(await copiedFrom(undefined, origin), 0);
  });
});
