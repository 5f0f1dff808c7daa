import assert from 'node:assert/strict';
import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { JournalShelf } from '../../../src/session/journalShelf.ts';
import { RecordingLogger } from '../../fakes/recordingLogger.ts';
import { sampleHeader, sampleIds, writeSample } from './sampleJournal.ts';

/** Runs `run` while one call of the file system fails. */
function failing(
  method: 'openSync' | 'readSync' | 'readdirSync' | 'lstatSync' | 'statSync',
  code: string,
  run: () => void,
): void {
  const mocked = mock.method(fs, method, () => {
    throw Object.assign(new Error(code), { code });
  });
  syncBuiltinESMExports();
  try {
    run();
  } finally {
    mocked.mock.restore();
    syncBuiltinESMExports();
  }
}

describe('a journal that cannot be read just now', () => {
  let folder: string;
  let logger: RecordingLogger;
  let shelf: JournalShelf;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tjs-'));
    logger = new RecordingLogger();
    writeSample(join(folder, 's1.jsonl'), sampleIds(3), {});
    shelf = new JournalShelf(folder, logger);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const found = (): number => shelf.newest(sampleHeader.cwd, 10).length;

  for (const [method, code] of [
    ['openSync', 'EMFILE'],
    ['openSync', 'EACCES'],
    ['readSync', 'EIO'],
    ['lstatSync', 'EACCES'],
    ['statSync', 'EIO'],
    ['readdirSync', 'ENFILE'],
  ] as const)
    it(`because of ${code} in ${method} is found at the next look, and nothing calls it damaged`, () => {
      failing(method, code, () => assert.equal(found(), 0));
      assert.equal(found(), 1);
      assert.deepEqual(
        logger.lines.map(line => line.split(' ')[0]),
        ['journal.not_read'],
      );
      assert.match(logger.lines[0] ?? '', new RegExp(code));
    });

  it('is named once as long as it goes on, and tried more and more seldom', () => {
    let tries = 0;
    failing('readSync', 'EIO', () => {
      const counted = mock.method(fs, 'openSync');
      syncBuiltinESMExports();
      for (let look = 0; look < 64; look += 1) found();
      tries = counted.mock.callCount();
      counted.mock.restore();
    });
    assert.ok(tries >= 4 && tries <= 8, String(tries));
    assert.equal(logger.lines.length, 1);
    let looks = 0;
    while (found() === 0) looks += 1;
    assert.ok(looks <= 100, String(looks));
  });

  it('is left alone for good when it was read and is none', () => {
    writeFileSync(join(folder, 'other.jsonl'), 'not a journal\n');
    assert.equal(found(), 1);
    const counted = mock.method(fs, 'openSync');
    syncBuiltinESMExports();
    try {
      assert.equal(found(), 1);
      assert.equal(counted.mock.callCount(), 0);
    } finally {
      counted.mock.restore();
      syncBuiltinESMExports();
    }
    assert.deepEqual(logger.lines, ['journal.unreadable {"file":"other.jsonl","code":"unreadable"}']);
  });

  it('is no news where there is no folder yet', () => {
    shelf = new JournalShelf(join(folder, 'none'), logger);
    assert.equal(found(), 0);
    assert.deepEqual(logger.lines, []);
  });
});
