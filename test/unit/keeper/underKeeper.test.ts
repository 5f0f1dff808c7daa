import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnderKeeper } from '../../../src/terminal/underKeeper.ts';

describe('what runs under a keeper', () => {
  let folder: string;
  let reads: number;
  let parents: Record<number, number>;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tuk-'));
    reads = 0;
    parents = { 10: 1, 20: 10, 30: 20, 40: 30, 50: 1, 60: 50, 70: 70 };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const under = (): UnderKeeper =>
    new UnderKeeper(folder, () => {
      reads += 1;
      return Object.entries(parents).map(([pid, parent]) => ({
        pid: Number(pid),
        parent,
        group: 0,
        session: 0,
        start: '1',
      }));
    });
  function keeper(name: string, keeperPid: number, agentPid: number): void {
    mkdirSync(join(folder, name), { recursive: true });
    const trace = { keeperPid, keeperStart: '1', agentPid, agentStart: '1' };
    writeFileSync(join(folder, name, 'trace.json'), JSON.stringify(trace));
  }

  it('is a keeper’s program and all that it started, and nothing else', () => {
    keeper('0123456789abcdef', 10, 20);
    const programs = under();
    for (const [pid, isUnder] of [
      [20, true],
      [30, true],
      [40, true],
      [60, false],
      [70, false],
      [99, false],
    ] as const)
      assert.equal(programs.has({ pid, start: '1' }), isUnder, String(pid));
  });

  it('is nothing while the folder of keepers is not there: it may be swept away when it is empty', () => {
    rmSync(folder, { recursive: true });
    assert.equal(under().has({ pid: 30, start: '1' }), false);
  });

  it('is remembered, though a parent is gone, and not of another process with that number', () => {
    keeper('0123456789abcdef', 10, 20);
    const programs = under();
    assert.equal(programs.has({ pid: 40, start: '1' }), true);
    parents = {};
    assert.equal(programs.has({ pid: 40, start: '1' }), true);
    assert.equal(programs.has({ pid: 40, start: '2' }), false);
  });

  it('may be seen before its keeper has left a trace, and is looked at no more once it has had the time', () => {
    const programs = under();
    assert.equal(programs.has({ pid: 30, start: '1' }), false);
    keeper('0123456789abcdef', 10, 20);
    assert.equal(programs.has({ pid: 30, start: '1' }), true);
    for (let look = 0; look < 10; look += 1) programs.has({ pid: 60, start: '1' });
    assert.ok(reads <= 6, String(reads));
  });
});
