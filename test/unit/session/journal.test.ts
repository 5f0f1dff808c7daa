import assert from 'node:assert/strict';
import fs, {
  appendFileSync,
  fstatSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { Journal } from '../../../src/session/journal.ts';
import { maxLineBytes } from '../../../src/session/journalLines.ts';
import { reopen, sampleHeader, sampleText, told, writeSample } from './sampleJournal.ts';

describe('the journal [D5] [M36]', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tj-'));
    path = join(folder, 's1.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('gives every block the next seq, from one, and tells what comes after any of them [C40]', () => {
    const journal = Journal.create(path, sampleHeader);
    assert.deepEqual(
      ['a', 'b', 'c'].map(id => journal.append(sampleText(id))),
      [1, 2, 3],
    );
    assert.deepEqual(told(journal.since(1)), ['2 b', '3 c']);
    assert.deepEqual([...journal.since(3)], []);
    assert.equal(journal.lastSeq, 3);
    journal.dispose();
  });

  it('is readable by its owner alone', () => {
    writeSample(path, ['a']);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('never replaces a journal that exists', () => {
    writeSample(path, ['a']);
    assert.throws(() => Journal.create(path, sampleHeader), { code: 'EEXIST' });
  });

  it('refuses a file that is no journal', () => {
    writeFileSync(path, '{"hello":"world"}\n');
    assert.throws(() => reopen(path), { message: 'no journal' });
    truncateSync(path);
    assert.throws(() => reopen(path), { message: 'no journal' });
  });

  it('waits for the disk when it is flushed, and not with every line', () => {
    const journal = Journal.create(path, sampleHeader);
    const flushed: number[] = [];
    const real = fs.fsyncSync;
    // Watches the real call: whether a disk has something shows only when the machine dies.
    const watch = mock.method(fs, 'fsyncSync', (file: number) => {
      flushed.push(fstatSync(file).ino);
      real(file);
    });
    syncBuiltinESMExports();
    try {
      journal.append(sampleText('a'));
      assert.deepEqual(flushed, []);
      journal.flush();
      assert.deepEqual(flushed, [statSync(path).ino]);
      journal.dispose();
      journal.flush();
      assert.equal(flushed.length, 1, 'nothing is open any more');
    } finally {
      watch.mock.restore();
      syncBuiltinESMExports();
    }
  });

  it('reads entries that are longer than its buffer, and U+2028 in them [F1]', () => {
    const journal = Journal.create(path, sampleHeader);
    const long = '日本\u2028'.repeat(16_000);
    journal.append(sampleText('a', long));
    journal.append(sampleText('b', long));
    journal.dispose();
    const texts: string[] = [];
    const opened = Journal.open(path, ({ block }) => texts.push(block.type === 'text' ? block.text : ''));
    opened?.journal.dispose();
    assert.deepEqual(texts, [long, long]);
  });

  it('writes no line that it would not read again', () => {
    const journal = Journal.create(path, sampleHeader);
    assert.equal(journal.append(sampleText('a', 'x'.repeat(maxLineBytes))), undefined);
    assert.equal(journal.append(sampleText('b')), 1);
    journal.dispose();
    assert.deepEqual(reopen(path).history, ['1 b']);
  });

  it('tells nothing more once it is closed, also to who is in the middle of reading', () => {
    const journal = Journal.create(path, sampleHeader);
    for (const id of ['a', 'b', 'c']) journal.append(sampleText(id));
    const seen: number[] = [];
    for (const { seq } of journal.since(0)) {
      seen.push(seq);
      journal.dispose();
    }
    assert.deepEqual(seen, [1]);
  });

  it('tells a reader also what is written while it reads', () => {
    const journal = Journal.create(path, sampleHeader, { segmentEntries: 2 });
    journal.append(sampleText('t1'));
    const seen: string[] = [];
    for (const entry of journal.since(0)) {
      seen.push(...told([entry]));
      if (entry.seq < 7) journal.append(sampleText(`t${String(entry.seq + 1)}`));
    }
    journal.dispose();
    assert.deepEqual(seen, ['1 t1', '2 t2', '3 t3', '4 t4', '5 t5', '6 t6', '7 t7']);
  });

  it('goes on after a damaged end with the next seq', () => {
    writeSample(path, ['a', 'b']);
    appendFileSync(path, '{"seq":3,"block":{"type":"te');
    const opened = Journal.open(path, () => undefined);
    assert.ok(opened);
    assert.equal(opened.journal.append(sampleText('c')), 3);
    opened.journal.dispose();
    assert.deepEqual(reopen(path).history, ['1 a', '2 b', '3 c']);
  });
});
