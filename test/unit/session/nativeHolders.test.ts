import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentId, sessionId } from '../../../core/protocol/ids.ts';
import { NativeHolders } from '../../../src/session/nativeHolders.ts';

const claude = agentId.parse('claude-code');
const [one, two] = [sessionId.parse('one'), sessionId.parse('two')];

describe('which session has which conversation [T102] [T103]', () => {
  let folder: string;
  let kept: Set<string>;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tnh-'));
    kept = new Set(['one', 'two']);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  /** As another window has it. */
  const holders = (): NativeHolders => new NativeHolders(join(folder, 'natives'), id => kept.has(id));

  it('is the first that asks, in whichever window', () => {
    assert.equal(holders().find(claude, 'n'), undefined);
    assert.equal(holders().claim(claude, 'n', one), true);
    assert.equal(holders().claim(claude, 'n', one), true, 'again');
    assert.equal(holders().claim(claude, 'n', two), false);
    assert.equal(holders().find(claude, 'n'), 'one');
    assert.equal(holders().claim(claude, 'other', two), true);
    assert.equal(holders().claim(agentId.parse('codex'), 'n', two), true, 'another agent’s');
  });

  it('is given up by its own session only, and taken from one that is not kept any more', () => {
    holders().claim(claude, 'n', one);
    holders().release(claude, 'n', two);
    assert.equal(holders().find(claude, 'n'), 'one');
    holders().release(claude, 'n', one);
    assert.equal(holders().claim(claude, 'n', two), true);
    kept.delete('two');
    assert.equal(holders().find(claude, 'n'), undefined);
    assert.equal(holders().claim(claude, 'n', one), true);
  });

  it('is in files of the owner alone, named after nothing that an agent says', () => {
    holders().claim(claude, '../../../etc/passwd', one);
    const names = readdirSync(join(folder, 'natives'));
    assert.match(names.join(), /^[0-9a-f]{40}$/);
    if (process.platform !== 'win32')
      assert.equal(statSync(join(folder, 'natives', names[0] ?? '')).mode & 0o077, 0);
  });
});
