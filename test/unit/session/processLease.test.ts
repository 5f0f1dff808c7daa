import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { processHost } from '../../../platform/node/files/processHost.ts';
import { takeProcessLease, type ProcessLease } from '../../../platform/node/files/processLease.ts';
import { processStart } from '../../../platform/node/files/processStart.ts';
import { untilTrue } from '../../fakes/untilTrue.ts';

const source = join(import.meta.dirname, '../../../platform/node/files/processLease.ts');

describe('a lease of a process', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tl-'));
    path = join(folder, 'lease');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is had once, and again when it was released', () => {
    const first = takeProcessLease(path);
    assert.ok(first);
    assert.equal(takeProcessLease(path), undefined);
    first.dispose();
    assert.ok(takeProcessLease(path));
  });

  it('does not block when its process is gone, its pid is another process’s, or the file is empty or damaged', () => {
    const start = processStart(process.pid);
    for (const stale of [
      { pid: 999_999, start },
      { pid: process.pid, start: 'long ago' },
      undefined,
      'damaged',
    ]) {
      const one = join(folder, String(Math.random()));
      writeFileSync(`${one}.7`, stale === undefined ? '' : JSON.stringify(stale));
      assert.ok(takeProcessLease(one), JSON.stringify(stale));
      assert.equal(takeProcessLease(one), undefined);
    }
  });

  it('keeps no more than one file, however often it changes hands', () => {
    for (let round = 0; round < 5; round += 1) takeProcessLease(path)?.dispose();
    assert.equal(readdirSync(folder).length, 1);
  });

  it('tells a holder that another one came after it: what it would write is not to be written [D3]', () => {
    const first = takeProcessLease(path);
    assert.equal(first?.token, 1);
    assert.equal(first.isCurrent(), true);
    // As one that was taken for dead: the file says another process.
    writeFileSync(`${path}.1`, JSON.stringify({ pid: 999_999, start: 'gone' }));
    const second = takeProcessLease(path);
    assert.equal(second?.token, 2);
    assert.equal(first.isCurrent(), false);
    first.dispose();
    assert.equal(second.isCurrent(), true);
    assert.equal(takeProcessLease(path), undefined, 'the end of a stale holder frees nothing');
    second.dispose();
    assert.equal(second.isCurrent(), false);
    assert.equal(takeProcessLease(path)?.token, 3);
  });

  describe('that a taker is slow to take', () => {
    /** Takes it as one that sleeps right before it makes its file, and once more right after. */
    function takeSlowly(before: () => void, after: () => void = () => undefined): ProcessLease | undefined {
      const real = fs.linkSync;
      let isSlow = true;
      const slow = mock.method(fs, 'linkSync', (from: string, to: string) => {
        if (!isSlow) return real(from, to);
        isSlow = false;
        before();
        real(from, to);
        after();
      });
      syncBuiltinESMExports();
      try {
        return takeProcessLease(path);
      } finally {
        slow.mock.restore();
        syncBuiltinESMExports();
      }
    }
    beforeEach(() => writeFileSync(`${path}.3`, JSON.stringify({ pid: 999_999, start: 'gone' })));

    it('goes to the one that has it, though it changed hands twice meanwhile [D3]', () => {
      let later: ProcessLease | undefined;
      const slow = takeSlowly(() => {
        takeProcessLease(path)?.dispose();
        later = takeProcessLease(path);
      });
      assert.deepEqual([slow?.token, later?.token, later?.isCurrent()], [undefined, 5, true]);
      assert.deepEqual(readdirSync(folder), ['lease.5']);
    });

    it('is not had again by one that was overtaken when the slow one makes a file of the same name', () => {
      let overtaken: ProcessLease | undefined;
      let later: ProcessLease | undefined;
      let isOld: boolean | undefined;
      const slow = takeSlowly(
        () => {
          overtaken = takeProcessLease(path);
          writeFileSync(`${path}.4`, JSON.stringify({ pid: 999_999, start: 'gone' }));
          later = takeProcessLease(path);
        },
        () => (isOld = overtaken?.isCurrent()),
      );
      assert.deepEqual([overtaken?.token, isOld], [4, false]);
      assert.deepEqual([slow?.token, later?.token, later?.isCurrent()], [undefined, 5, true]);
    });
  });

  it('is free again when its holder lets go while the disk is full, and leaves nothing else behind', () => {
    const held = takeProcessLease(path);
    assert.ok(held);
    const failing = mock.method(fs, 'writeFileSync', (file: string) => {
      fs.closeSync(fs.openSync(file, 'wx'));
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    });
    syncBuiltinESMExports();
    try {
      held.dispose();
      assert.throws(() => takeProcessLease(path), /full/);
    } finally {
      failing.mock.restore();
      syncBuiltinESMExports();
    }
    assert.deepEqual(readdirSync(folder), ['lease.1']);
    assert.equal(takeProcessLease(path)?.token, 2);
  });

  it('is let go as soon as the system allows it, and never says otherwise meanwhile', async () => {
    const held = takeProcessLease(path);
    assert.ok(held);
    const failing = mock.method(fs, 'truncateSync', () => {
      throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
    });
    syncBuiltinESMExports();
    try {
      assert.doesNotThrow(() => held.dispose());
      assert.equal(held.isCurrent(), false);
      assert.equal(takeProcessLease(path), undefined);
    } finally {
      failing.mock.restore();
      syncBuiltinESMExports();
    }
    await untilTrue('it is free', () => takeProcessLease(path) !== undefined);
  });

  describe('of a process that cannot be looked at from here', () => {
    const here = processHost();
    const elsewhere = { pid: process.pid, start: processStart(process.pid) };
    const hold = (host: object): void =>
      writeFileSync(
        `${path}.4`,
        JSON.stringify({ ...elsewhere, start: 'another', host: { ...here, ...host } }),
      );

    it('blocks for as long as it shows itself, whatever its pid is here [D3]', () => {
      for (const host of [{ machine: 'another', boot: 'its own' }, { namespace: 'pid:[1]' }]) {
        hold(host);
        assert.equal(takeProcessLease(path), undefined);
        utimesSync(`${path}.4`, new Date(), new Date(Date.now() - 299_000));
        assert.equal(takeProcessLease(path), undefined);
      }
    });

    it('goes on to the next one when it has not shown itself for five minutes', () => {
      hold({ machine: 'another', boot: 'its own' });
      utimesSync(`${path}.4`, new Date(), new Date(Date.now() - 301_000));
      assert.equal(takeProcessLease(path)?.token, 5);
    });

    it('is looked at when only the name of its machine is another: the system has been running all along', () => {
      hold({ machine: 'renamed since' });
      assert.equal(takeProcessLease(path)?.token, 5);
    });

    it('does not block when its machine was started anew since', () => {
      hold({ boot: 'before' });
      assert.equal(takeProcessLease(path)?.token, 5);
    });
  });

  describe('where the system does not tell when a process started', () => {
    const { platform } = process;
    const pretend = (value: string): unknown => Object.defineProperty(process, 'platform', { value });
    beforeEach(() => pretend('win32'));
    afterEach(() => pretend(platform));

    it('is held for as long as it shows itself, for its pid may be another process’s', () => {
      assert.ok(takeProcessLease(path));
      assert.equal(takeProcessLease(path), undefined);
      utimesSync(`${path}.1`, new Date(), new Date(Date.now() - 299_000));
      assert.equal(takeProcessLease(path), undefined);
      utimesSync(`${path}.1`, new Date(), new Date(Date.now() - 301_000));
      assert.equal(takeProcessLease(path)?.token, 2);
    });

    it('does not block when there is no such process', () => {
      writeFileSync(`${path}.1`, JSON.stringify({ pid: 999_999, start: processStart(process.pid) }));
      assert.equal(takeProcessLease(path)?.token, 2);
    });
  });

  it('says where its pid counts', () => {
    takeProcessLease(path);
    const told = readFileSync(`${path}.1`, 'utf8');
    assert.match(told, new RegExp(`"namespace":"${processHost().namespace.replaceAll(/[[\]]/g, '\\$&')}"`));
  });

  it('goes to exactly one of several processes that find the same stale one', async function () {
    this.timeout(60_000);
    const script = join(folder, 'taker.mjs');
    writeFileSync(
      script,
      `import { takeProcessLease } from ${JSON.stringify(source)};
       process.on('message', path => process.send(takeProcessLease(path) !== undefined));
       process.send('ready');`,
    );
    const takers = Array.from({ length: 4 }, () => fork(script));
    await Promise.all(takers.map(taker => once(taker, 'message')));
    for (let round = 0; round < 300; round += 1) {
      const contested = join(folder, `lease${String(round)}`);
      writeFileSync(`${contested}.1`, JSON.stringify({ pid: 999_999, start: 'gone' }));
      const answers = takers.map(taker => once(taker, 'message'));
      for (const taker of takers) taker.send(contested);
      const got = (await Promise.all(answers)).filter(([has]) => has === true).length;
      assert.equal(got, 1, `round ${String(round)}`);
    }
    for (const taker of takers) taker.kill();
  });
});
