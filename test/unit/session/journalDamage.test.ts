import assert from 'node:assert/strict';
import fs, {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { Journal } from '../../../src/session/journal.ts';
import { linesOf, maxLineBytes } from '../../../src/session/journalLines.ts';
import { reopen, sampleIds, sampleText, told, writeSample } from './sampleJournal.ts';

const fours = { segmentEntries: 4 };
const all = sampleIds(10).map((id, index) => `${String(index + 1)} ${id}`);

describe('a journal that was damaged [D5] [M68]', () => {
  let folder: string;
  let path: string;
  let newest: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tjd-'));
    path = join(folder, 's1.jsonl');
    newest = join(folder, 's1.journal', `${'9'.padStart(16, '0')}.jsonl`);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Lines of a file, each with its newline. */
  const textLines = (file: string): readonly string[] => readFileSync(file, 'utf8').split(/(?<=\n)/);

  it('loses at most its unfinished line, at whichever byte the newest file was cut, and goes on with the next seq', () => {
    writeSample(path, sampleIds(10), fours);
    const whole = readFileSync(newest);
    const ends = [...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([index]) => index + 1);
    assert.equal(ends.length, 3);
    for (let length = 0; length <= whole.length; length += 1) {
      writeFileSync(newest, whole.subarray(0, length));
      const complete = ends.filter(end => end <= length);
      const kept = 8 + Math.max(0, complete.length - 1);
      const { history, restored, lostBytes, lostEntries } = reopen(path, fours);
      assert.deepEqual([history, restored], [all.slice(0, kept), all.slice(0, kept)]);
      assert.deepEqual([lostBytes, lostEntries], [length - (complete.at(-1) ?? 0), 0]);
      // What was cut off is gone: it is not found again.
      assert.equal(reopen(path, fours).lostBytes, 0);
      const journal = Journal.open(path, () => undefined, fours)?.journal;
      assert.equal(journal?.append(sampleText('more')), kept + 1);
      journal.dispose();
      assert.deepEqual(reopen(path, fours).history, [...all.slice(0, kept), `${String(kept + 1)} more`]);
    }
  });

  it('loses at most two entries to a byte that flipped, wherever it is, and says what', () => {
    writeSample(path, sampleIds(6), fours);
    const second = join(folder, 's1.journal', `${'5'.padStart(16, '0')}.jsonl`);
    for (const file of [path, second]) {
      const whole = readFileSync(file);
      for (let at = 0; at < whole.length; at += 1)
        // Bits that make quotes, digits, letters and line ends of each other.
        for (const bit of [0x01, 0x10]) {
          const flipped = Buffer.from(whole);
          flipped.writeUInt8((whole[at] ?? 0) ^ bit, at);
          writeFileSync(file, flipped);
          const { history, lastSeq } = reopen(path, fours);
          const place = `byte ${String(at)} of ${file.slice(folder.length)}, bit ${String(bit)}`;
          // The last line of all, unfinished now, is cut off.
          const isCut = file === second && at === whole.length - 1;
          assert.equal(lastSeq, isCut ? 5 : 6, place);
          assert.deepEqual(
            history.map(line => line.split(' ')[0]),
            all.slice(0, lastSeq).map(line => line.split(' ')[0]),
            place,
          );
          const damaged = all.slice(0, lastSeq).filter((line, index) => history[index] !== line);
          assert.ok(damaged.length <= 2, `${place}: ${damaged.join()}`);
          if (isCut) break;
        }
      writeFileSync(file, whole);
    }
  });

  it('names a stretch that cannot be read once, in its place, and keeps what comes after it', () => {
    writeSample(path, sampleIds(10));
    const lines = textLines(path);
    writeFileSync(
      path,
      lines
        .map((line, index) => (index === 3 || index === 4 ? line.replace('"block"', '"bl*ck"') : line))
        .join(''),
    );
    const expected = [...all.slice(0, 2), '3 lost_3', '4 lost_3', ...all.slice(4)];
    assert.deepEqual(reopen(path), {
      restored: [...all.slice(0, 2), ...all.slice(4)],
      history: expected,
      lastSeq: 10,
      lostBytes: 0,
      lostEntries: 2,
    });
    const opened = Journal.open(path, () => undefined);
    assert.ok(opened);
    for (let seq = 0; seq <= 10; seq += 1)
      assert.deepEqual(
        told(opened.journal.since(seq)),
        expected.slice(seq),
        'from whichever entry it is read',
      );
    const [gap] = opened.journal.since(2);
    assert.ok(gap?.block.type === 'error');
    assert.deepEqual([gap.block.code, gap.block.ts], ['journal_damaged', 1]);
    assert.match(gap.block.message, /^2 entries .* cannot be read/);
    opened.journal.dispose();
    assert.deepEqual(reopen(path).history, expected, 'nothing of it was thrown away');
  });

  it('says what is missing of a sealed file that was cut', () => {
    writeSample(path, sampleIds(10), fours);
    truncateSync(path, statSync(path).size - 60);
    assert.deepEqual(reopen(path, fours).history, [...all.slice(0, 3), '4 lost_4', ...all.slice(4)]);
    truncateSync(path, 10);
    const lost = [1, 2, 3, 4].map(seq => `${String(seq)} lost_1`);
    assert.deepEqual(reopen(path, fours).history, [...lost, ...all.slice(4)]);
  });

  it('says what is missing of a file that is gone', () => {
    writeSample(path, sampleIds(10), fours);
    rmSync(join(folder, 's1.journal', `${'5'.padStart(16, '0')}.jsonl`));
    const lost = [5, 6, 7, 8].map(seq => `${String(seq)} lost_5`);
    assert.deepEqual(reopen(path, fours).history, [...all.slice(0, 4), ...lost, ...all.slice(8)]);
  });

  it('does not give a seq again whose line ended and cannot be read', () => {
    writeSample(path, ['t1']);
    appendFileSync(path, '{"seq":2,"block":{"type":"mystery"}}\n');
    const opened = Journal.open(path, () => undefined);
    assert.equal(opened?.journal.append(sampleText('t3')), 3);
    opened.journal.dispose();
    assert.deepEqual(reopen(path).history, ['1 t1', '2 lost_2', '3 t3']);
  });

  it('believes no seq that jumps ahead for no reason, or goes back', () => {
    writeSample(path, ['t1', 't2', 't3', 't4']);
    const lines = textLines(path);
    writeFileSync(path, lines.map(line => line.replace('"seq":2', '"seq":7')).join(''));
    assert.deepEqual(reopen(path).history, ['1 t1', '2 lost_2', '3 t3', '4 t4']);
    writeFileSync(path, lines.map(line => line.replace('"seq":3', '"seq":1')).join(''));
    assert.deepEqual(reopen(path).history, ['1 t1', '2 t2', '3 lost_3', '4 t4']);
  });

  it('passes over a line of eleven megabytes that it never wrote without holding it [F12]', () => {
    writeSample(path, ['t1', 't2']);
    const [first = '', ...rest] = textLines(path);
    const file = openSync(path, 'w');
    writeSync(file, first);
    for (let piece = 0; piece < 11; piece += 1) writeSync(file, 'x'.repeat(1_048_576));
    writeSync(file, `\n${rest.join('')}`);
    closeSync(file);
    const reader = openSync(path, 'r');
    assert.equal([...linesOf(reader, 0, 1_000_000)].length, 1, 'nothing beyond the given end is read');
    let held = 0;
    const copy = Buffer.from.bind(Buffer);
    const watch = mock.method(Buffer, 'from', (part: Uint8Array) => {
      held += part.length;
      return copy(part);
    });
    try {
      assert.equal([...linesOf(reader, 0)].find(({ to }) => to > 11_000_000)?.bytes, undefined);
    } finally {
      watch.mock.restore();
      closeSync(reader);
    }
    assert.ok(held <= maxLineBytes, 'no more of it than the longest line that could be one');
    assert.deepEqual(reopen(path).history, ['1 t1', '2 t2']);
  });

  /** The disk takes `bytes` more; what is beyond fails as the system does it. */
  function withRoom<T>(bytes: number, task: () => T): T {
    let room = bytes;
    const real = fs.writeSync;
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const watch = mock.method(
      fs,
      'writeSync',
      (file: number, line: Buffer, at: number, length: number, position: number) => {
        if (room === 0) throw full;
        const count = real(file, line, at, Math.min(length, room), position);
        room -= count;
        return count;
      },
    );
    syncBuiltinESMExports();
    try {
      return task();
    } finally {
      watch.mock.restore();
      syncBuiltinESMExports();
    }
  }

  it('has no half line when the disk filled up in the middle of one, however much still fitted', () => {
    writeSample(path, ['t1']);
    for (const room of [0, 1, 20, 60]) {
      const journal = Journal.open(path, () => undefined)?.journal;
      assert.ok(journal);
      const before = readFileSync(path, 'utf8');
      const { lastSeq } = journal;
      withRoom(room, () =>
        assert.throws(() => journal.append(sampleText('long', 'x'.repeat(200))), { code: 'ENOSPC' }),
      );
      assert.equal(readFileSync(path, 'utf8'), before);
      assert.equal(journal.append(sampleText(`t${String(lastSeq + 1)}`)), lastSeq + 1);
      assert.equal(told(journal.since(0)).length, lastSeq + 1);
      journal.dispose();
      assert.equal(reopen(path).lostBytes, 0);
    }
    assert.deepEqual(reopen(path).history, all.slice(0, 5));
  });

  it('removes half a line later when that fails at first, too', () => {
    writeSample(path, ['t1']);
    const journal = Journal.open(path, () => undefined)?.journal;
    assert.ok(journal);
    const refuse = mock.method(fs, 'ftruncateSync', () => {
      throw Object.assign(new Error('input/output error'), { code: 'EIO' });
    });
    withRoom(150, () => assert.throws(() => journal.append(sampleText('long', 'x'.repeat(200)))));
    refuse.mock.restore();
    syncBuiltinESMExports();
    assert.equal(journal.append(sampleText('t2')), 2);
    journal.dispose();
    assert.deepEqual((({ history, lostBytes }) => ({ history, lostBytes }))(reopen(path)), {
      history: all.slice(0, 2),
      lostBytes: 0,
    });
  });

  it('says what is gone when a file vanishes or is cut while it is open, and tells every seq all the same', () => {
    writeSample(path, sampleIds(10), fours);
    const journal = Journal.open(path, () => undefined, fours)?.journal;
    assert.ok(journal);
    rmSync(join(folder, 's1.journal', `${'5'.padStart(16, '0')}.jsonl`));
    const lost = [5, 6, 7, 8].map(seq => `${String(seq)} lost_5`);
    assert.deepEqual(told(journal.since(3)), [...all.slice(3, 4), ...lost, ...all.slice(8)]);
    truncateSync(newest, 150);
    assert.deepEqual(told(journal.since(8)), ['9 lost_9', '10 lost_9']);
    rmSync(newest);
    assert.deepEqual(told(journal.since(9)), ['10 lost_10']);
    journal.dispose();
  });

  it('is not opened without the files that it cannot look at: it would give their seqs again', () => {
    writeSample(path, sampleIds(10), fours);
    const watch = mock.method(fs, 'readdirSync', () => {
      throw Object.assign(new Error('permission denied'), { code: 'EACCES' });
    });
    syncBuiltinESMExports();
    try {
      assert.throws(() => reopen(path, fours), { code: 'EACCES' });
    } finally {
      watch.mock.restore();
      syncBuiltinESMExports();
    }
    assert.deepEqual(reopen(path, fours).history, all);
  });

  it('is still found by what its other files say of it when the first line of all is damaged', () => {
    writeSample(path, sampleIds(10), fours);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"journal"', '"jou*nal"'));
    assert.deepEqual(reopen(path, fours).history, all);
    assert.ok(readdirSync(folder).length > 1);
  });
});
