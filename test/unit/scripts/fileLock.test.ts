import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryFileLock, withFileLock } from '../../../scripts/editorHost/fileLock.mjs';

describe('a lock file', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'lock '))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('lets the second wait until the first is done', async () => {
    const file = join(folder, 'a.lock');
    const order: string[] = [];
    const events = new EventEmitter();
    const [entered, waited] = [once(events, 'entered'), once(events, 'waited')];
    const first = withFileLock(file, async () => {
      order.push('first in');
      events.emit('entered');
      await waited;
      order.push('first out');
    });
    await entered;
    const second = withFileLock(file, async () => void order.push('second in'), {
      onWait: () => events.emit('waited'),
    });
    await Promise.all([first, second]);
    assert.deepEqual(order, ['first in', 'first out', 'second in']);
    assert.equal(existsSync(file), false);
  });

  it('is free again when its work fails', async () => {
    const file = join(folder, 'a.lock');
    await assert.rejects(
      withFileLock(file, () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(existsSync(file), false);
  });

  it('says who holds it', () => {
    const file = join(folder, 'a.lock');
    const mine = tryFileLock(file);
    assert.ok('release' in mine);
    assert.deepEqual(tryFileLock(file), { holder: process.pid });
    mine.release();
    assert.ok('release' in tryFileLock(file));
  });

  it('is taken from a process whose number another one has now', () => {
    const file = join(folder, 'a.lock');
    writeFileSync(file, JSON.stringify({ pid: process.pid, born: 'long ago', host: hostname() }));
    assert.ok('release' in tryFileLock(file));
  });

  it('is taken from another machine only when it is old', () => {
    const file = join(folder, 'a.lock');
    writeFileSync(file, JSON.stringify({ pid: 1, host: `not-${hostname()}` }));
    assert.deepEqual(tryFileLock(file), { holder: 1 });
    utimesSync(file, 0, 0);
    assert.ok('release' in tryFileLock(file));
  });

  it('is taken from a process that has died', async () => {
    const file = join(folder, 'a.lock');
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(file, JSON.stringify({ pid, host: hostname() }));
    assert.equal(await withFileLock(file, async () => 'mine', { deadlineMs: 5000 }), 'mine');
  });
});
