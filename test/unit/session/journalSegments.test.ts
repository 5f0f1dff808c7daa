import assert from 'node:assert/strict';
import fs, {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { Journal } from '../../../src/session/journal.ts';
import { reopen, sampleHeader, sampleIds, sampleText, told, writeSample } from './sampleJournal.ts';

const threes = { segmentEntries: 3 };

describe('the files of a journal [D5] [M68]', () => {
  let folder: string;
  let path: string;
  let later: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tjs-'));
    path = join(folder, 's1.jsonl');
    later = join(folder, 's1.journal');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const segment = (first: number): string => join(later, `${String(first).padStart(16, '0')}.jsonl`);

  it('are sealed when they are full, and never change again', () => {
    const journal = Journal.create(path, sampleHeader, threes);
    const sealed = new Map<string, string>();
    for (const id of sampleIds(10)) {
      journal.append(sampleText(id));
      for (const [file, content] of sealed) assert.equal(readFileSync(file, 'utf8'), content);
      if (journal.lastSeq === 3) sealed.set(path, readFileSync(path, 'utf8'));
      if (journal.lastSeq === 6) sealed.set(segment(4), readFileSync(segment(4), 'utf8'));
    }
    journal.dispose();
    assert.deepEqual(
      readdirSync(later),
      [4, 7, 10].map(first => segment(first).slice(later.length + 1)),
    );
  });

  it('are bounded in bytes, too', () => {
    const journal = Journal.create(path, sampleHeader, { segmentBytes: 400 });
    for (const id of sampleIds(40)) journal.append(sampleText(id));
    journal.dispose();
    const sizes = [path, ...readdirSync(later).map(name => join(later, name))].map(
      file => statSync(file).size,
    );
    assert.ok(sizes.length > 5);
    assert.ok(sizes.every(size => size <= 500));
  });

  it('are read as one from any entry on', () => {
    writeSample(path, sampleIds(11), threes);
    const opened = Journal.open(path, () => undefined, threes);
    assert.ok(opened);
    const all = sampleIds(11).map((id, index) => `${String(index + 1)} ${id}`);
    for (let seq = 0; seq <= 11; seq += 1) assert.deepEqual(told(opened.journal.since(seq)), all.slice(seq));
    opened.journal.dispose();
  });

  it('are for their owner alone, like the folder that holds them', () => {
    writeSample(path, sampleIds(4), threes);
    assert.equal(statSync(later).mode & 0o777, 0o700);
    assert.equal(statSync(segment(4)).mode & 0o777, 0o600);
  });

  it('open as they are where all is in one large file: it is the first one, and nothing is written anew', () => {
    writeSample(path, sampleIds(20));
    const before = readFileSync(path, 'utf8');
    const opened = Journal.open(path, () => undefined, threes);
    assert.ok(opened);
    assert.equal(opened.journal.append(sampleText('t21')), 21);
    opened.journal.dispose();
    assert.equal(readFileSync(path, 'utf8'), before);
    assert.ok(existsSync(segment(21)));
    assert.deepEqual(reopen(path, threes).restored.length, 21);
  });

  it('read no other file for a page than those that hold it [F12] [F44]', () => {
    writeSample(path, sampleIds(30), threes);
    const opened = Journal.open(path, () => undefined, threes);
    assert.ok(opened);
    const files: unknown[] = [];
    const real = fs.openSync;
    const watch = mock.method(fs, 'openSync', (...args: Parameters<typeof real>) => {
      files.push(args[0]);
      return real(...args);
    });
    syncBuiltinESMExports();
    try {
      for (const { seq } of opened.journal.since(10)) if (seq === 14) break;
    } finally {
      watch.mock.restore();
      syncBuiltinESMExports();
    }
    opened.journal.dispose();
    assert.deepEqual(files, [segment(10), segment(13)]);
  });

  it('are not read from their beginning where one is large: a page costs a few looks [F12]', () => {
    const journal = Journal.create(path, sampleHeader, { segmentEntries: 400 });
    for (const id of sampleIds(401)) journal.append(sampleText(id, 'x'.repeat(10_000)));
    const whole = readFileSync(path, 'utf8');
    const file = openSync(path, 'r+');
    const real = fs.readSync;
    let bytes = 0;
    const watch = mock.method(fs, 'readSync', (...args: Parameters<typeof real>) => {
      const count = real(...args);
      bytes += count;
      return count;
    });
    syncBuiltinESMExports();
    const first = (seq: number): string => {
      for (const entry of journal.since(seq)) return told([entry]).join();
      return '';
    };
    try {
      for (let seq = 0; seq < 401; seq += 10) {
        bytes = 0;
        assert.equal(first(seq), `${String(seq + 1)} t${String(seq + 1)}`);
        assert.ok(bytes < 2_000_000, `${String(bytes)} bytes were read for ${String(seq)}`);
      }
      // A number is damaged where a look falls, in the middle, and seems to be one before what is wanted.
      for (let damaged = 190; damaged <= 210; damaged += 1) {
        const at = whole.indexOf(`{"seq":${String(damaged)},`) + '{"seq":'.length;
        writeSync(file, '0', at);
        for (const seq of [120, 150, 390]) assert.equal(first(seq), `${String(seq + 1)} t${String(seq + 1)}`);
        writeSync(file, whole.charAt(at), at);
      }
    } finally {
      watch.mock.restore();
      syncBuiltinESMExports();
      closeSync(file);
    }
    journal.dispose();
  });

  for (const [state, content] of [
    ['was made and is empty', ''],
    ['has half a first line', JSON.stringify(sampleHeader).slice(0, 30)],
    ['has its first line alone', `${JSON.stringify(sampleHeader)}\n`],
    ['has half an entry', `${JSON.stringify(sampleHeader)}\n{"seq":4,"blo`],
  ] as const)
    it(`go on when the process died with a new file that ${state}`, () => {
      writeSample(path, sampleIds(4), threes);
      writeFileSync(segment(4), content);
      const opened = Journal.open(path, () => undefined, threes);
      assert.ok(opened);
      assert.equal(opened.journal.append(sampleText('again')), 4);
      opened.journal.dispose();
      assert.deepEqual(reopen(path, threes).history, ['1 t1', '2 t2', '3 t3', '4 again']);
      assert.equal(readFileSync(segment(4), 'utf8').split('\n')[0], JSON.stringify(sampleHeader));
    });

  it('do without what a process that died left half made', () => {
    writeSample(path, sampleIds(4), threes);
    const temporary = `${segment(7)}.tmp`;
    writeFileSync(temporary, 'half');
    writeFileSync(join(later, `${'3'.padStart(16, '0')}.state.0123456789ab`), 'half');
    const opened = Journal.open(path, () => undefined, threes);
    assert.ok(opened);
    for (const id of ['t5', 't6', 't7']) opened.journal.append(sampleText(id));
    opened.journal.dispose();
    assert.deepEqual(
      readdirSync(later),
      [segment(4), segment(7)].map(file => file.slice(later.length + 1)),
    );
    assert.equal(reopen(path, threes).history.length, 7);
  });

  it('grow on where no new one can be made, and are sealed when it can', () => {
    writeFileSync(later, 'in the way');
    const options = { segmentEntries: 3, segmentBytes: 1_600 };
    const journal = Journal.create(path, sampleHeader, options);
    for (const id of sampleIds(5)) journal.append(sampleText(id));
    rmSync(later);
    for (const id of sampleIds(9).slice(5)) journal.append(sampleText(id));
    journal.dispose();
    assert.equal(readdirSync(later).length, 1);
    assert.equal(reopen(path).history.length, 9);
  });

  it('keep an entry that two of them have where it belongs', () => {
    writeSample(path, sampleIds(5), threes);
    // As an older version of this program would go on, which knows one file only.
    appendFileSync(path, `${JSON.stringify({ seq: 4, block: sampleText('stray') })}\n`);
    assert.deepEqual(reopen(path, threes).history, ['1 t1', '2 t2', '3 t3', '4 t4', '5 t5']);
  });

  it('wait for the disk before the next one is made: a sealed one is never shorter after a power cut', () => {
    const calls: (number | 'rename')[] = [];
    const { fsyncSync, renameSync } = fs;
    const watches = [
      mock.method(fs, 'fsyncSync', (file: number) => {
        calls.push(fstatSync(file).ino);
        fsyncSync(file);
      }),
      mock.method(fs, 'renameSync', (from: string, to: string) => {
        calls.push('rename');
        renameSync(from, to);
      }),
    ];
    syncBuiltinESMExports();
    try {
      writeSample(path, sampleIds(4), threes);
    } finally {
      for (const watch of watches) watch.mock.restore();
      syncBuiltinESMExports();
    }
    const [first, second, outer, inner] = [path, segment(4), folder, later].map(each => statSync(each).ino);
    assert.deepEqual(calls, [first, outer, first, outer, second, 'rename', inner]);
  });
});
