import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
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

  /** As if all of it was written a minute ago. */
  function age(): void {
    const then = Date.now() / 1_000 - 60;
    for (const name of readdirSync(join(folder, 'natives')))
      utimesSync(join(folder, 'natives', name), then, then);
  }

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
    age();
    assert.equal(holders().claim(claude, 'n', one), true);
  });

  it('is whoever has just asked, though its session is not made yet; and free at once when it is not made', () => {
    kept.clear();
    assert.equal(holders().claim(claude, 'n', one), true);
    assert.equal(holders().claim(claude, 'n', two), false, 'from another window meanwhile');
    assert.equal(holders().claim(claude, 'n', one), true, 'again');
    holders().release(claude, 'n', two);
    assert.equal(holders().claim(claude, 'n', two), false);
    holders().release(claude, 'n', one);
    assert.equal(holders().claim(claude, 'n', two), true);
  });

  it('is not decided while another window decides, unless that died on the way', () => {
    holders().claim(claude, 'other', one);
    const [name = ''] = readdirSync(join(folder, 'natives'));
    holders().release(claude, 'other', one);
    writeFileSync(join(folder, 'natives', `${name}.lock`), '');
    assert.equal(holders().claim(claude, 'other', two), false);
    age();
    assert.equal(holders().claim(claude, 'other', two), false, 'what was left behind is put away');
    assert.equal(holders().claim(claude, 'other', two), true);
    assert.deepEqual(readdirSync(join(folder, 'natives')), [name]);
  });

  it('is in files of the owner alone, named after nothing that an agent says', () => {
    holders().claim(claude, '../../../etc/passwd', one);
    const names = readdirSync(join(folder, 'natives'));
    assert.match(names.join(), /^[0-9a-f]{40}$/);
    if (process.platform !== 'win32')
      assert.equal(statSync(join(folder, 'natives', names[0] ?? '')).mode & 0o077, 0);
  });
});
