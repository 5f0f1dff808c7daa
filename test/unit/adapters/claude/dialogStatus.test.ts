import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialogStatusOf } from '../../../../src/adapters/claude/dialogStatus.ts';
import { StoppedClock } from '../../../fakes/stoppedClock.ts';

describe('Claude Code’s own note of whether it waits', () => {
  let home: string;
  let clock: StoppedClock;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'ds-'));
    clock = new StoppedClock();
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const sessions = (): string => join(home, '.claude', 'sessions');
  const note = (pid: number, content: unknown): void => {
    mkdirSync(sessions(), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(sessions(), `${String(pid)}.json`), text);
  };
  const open = () => dialogStatusOf({ pid: 7, nativeId: 'mine' }, { HOME: home, USERPROFILE: home }, clock);
  const mine = { pid: 7, sessionId: 'mine', status: 'waiting', statusUpdatedAt: 5 };

  it('is of the program, or of the child that works at the conversation', () => {
    const status = open();
    note(6, { ...mine, sessionId: 'another' });
    note(7, mine);
    assert.deepEqual(status(), { isWaiting: true, since: 5 });
    note(7, { ...mine, status: 'busy', statusUpdatedAt: 6 });
    assert.deepEqual(status(), { isWaiting: false, since: 6 });
    rmSync(join(sessions(), '7.json'));
    note(8, { ...mine, status: 'idle', statusUpdatedAt: 7 });
    assert.deepEqual(status(), { isWaiting: false, since: 7 });
  });

  it('is not known from a version that notes nothing, nor while it starts', () => {
    const status = open();
    clock.pass(60_000);
    assert.equal(status(), undefined, 'no folder');
    note(7, { pid: 7, sessionId: 'mine' });
    assert.equal(status(), undefined, 'no status yet');
  });

  it('is that it waits when nothing was noted for 10 s: it asks whether to trust the folder, or who logs in', () => {
    mkdirSync(sessions(), { recursive: true });
    const status = open();
    const began = clock.now();
    assert.equal(status(), undefined);
    clock.pass(10_100);
    assert.deepEqual(status(), { isWaiting: true, since: began + 10_000 });
    note(7, { ...mine, status: 'idle' });
    assert.deepEqual(status(), { isWaiting: false, since: 5 });
  });

  it('passes over what is no note', () => {
    const status = open();
    for (const content of ['', '{', 'null', '[]', { pid: 7 }, 'x'.repeat(20_000), { ...mine, status: 3 }]) {
      note(7, content);
      assert.equal(status(), undefined, JSON.stringify(content).slice(0, 40));
    }
    rmSync(join(sessions(), '7.json'));
    mkdirSync(join(sessions(), '7.json'));
    assert.equal(status(), undefined);
  });
});
