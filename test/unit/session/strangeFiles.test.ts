import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordingLogger } from '../../fakes/recordingLogger.ts';
import { JournalShelf } from '../../../src/session/journalShelf.ts';
import { reopen, sampleHeader, sampleIds, writeSample } from './sampleJournal.ts';

const fours = { segmentEntries: 4 };
const all = sampleIds(6).map((id, index) => `${String(index + 1)} ${id}`);

describe('strange files in the folder of the journals', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tsf-'));
    path = join(folder, 's1.jsonl');
    writeSample(path, sampleIds(6), fours);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const later = (first: number): string =>
    join(folder, 's1.journal', `${String(first).padStart(16, '0')}.jsonl`);

  it('with a number that no journal reaches do not count, and nobody counts up to it', () => {
    copyFileSync(later(5), later(999_999_999_999_999));
    copyFileSync(later(5), later(0));
    const { history, lastSeq } = reopen(path, fours);
    assert.deepEqual([history, lastSeq], [all, 6]);
  });

  it('that are no files are not opened: a link leads elsewhere, and a pipe waits for ever', function () {
    if (process.platform === 'win32') this.skip();
    const elsewhere = join(folder, 'elsewhere.txt');
    writeFileSync(elsewhere, 'mine');
    symlinkSync(elsewhere, later(7));
    execFileSync('mkfifo', [later(8), join(folder, 'pipe.jsonl')]);
    mkdirSync(join(folder, 'folder.jsonl'));
    const { history, lastSeq } = reopen(path, fours);
    assert.deepEqual([history, lastSeq], [all, 6]);
    assert.equal(readFileSync(elsewhere, 'utf8'), 'mine');
    renameSync(path, join(folder, 'real.txt'));
    symlinkSync(join(folder, 'real.txt'), path);
    const shelf = new JournalShelf(folder, new RecordingLogger());
    assert.deepEqual(shelf.newest(sampleHeader.cwd, 10), []);
  });
});
