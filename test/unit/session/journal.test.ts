import assert from 'node:assert/strict';
import fs, {
  appendFileSync,
  fstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import type { Block } from '../../../core/protocol/block/block.ts';
import { agentId, blockId, sessionId } from '../../../core/protocol/ids.ts';
import { Journal, type JournalEntry, type JournalHeader } from '../../../src/session/journal.ts';

const header: JournalHeader = {
  journal: 1,
  session_id: sessionId.parse('s1'),
  agent_id: agentId.parse('demo'),
  agent_name: 'Demo agent',
  cwd: '/work',
  generation: 0,
};

function text(id: string, content = id): Block {
  return { type: 'text', ts: 1, id: blockId.parse(id), text: content, done: true };
}

describe('the journal [D5] [M36]', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tj-'));
    path = join(folder, 's1.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(...ids: string[]): void {
    const journal = Journal.create(path, header);
    for (const id of ids) journal.append(text(id));
    journal.dispose();
  }

  function read(): { entries: JournalEntry[]; lostBytes: number | undefined } {
    const entries: JournalEntry[] = [];
    const opened = Journal.open(path, entry => entries.push(entry));
    opened?.journal.dispose();
    return { entries, lostBytes: opened?.lostBytes };
  }

  it('gives every block the next seq, from one, and tells what comes after any of them', () => {
    const journal = Journal.create(path, header);
    assert.deepEqual(
      ['a', 'b', 'c'].map(id => journal.append(text(id))),
      [1, 2, 3],
    );
    assert.deepEqual(
      [...journal.since(1)].map(entry => entry.seq),
      [2, 3],
    );
    assert.deepEqual([...journal.since(3)], []);
    assert.equal(journal.lastSeq, 3);
    journal.dispose();
  });

  it('is readable by its owner alone', () => {
    write('a');
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('never replaces a journal that exists', () => {
    write('a');
    assert.throws(() => Journal.create(path, header), { code: 'EEXIST' });
  });

  it('loses at most the unfinished line, wherever the file was cut', () => {
    write('a', 'b', 'c');
    const whole = readFileSync(path);
    const ends = [...whole.entries()].filter(([, byte]) => byte === 10).map(([index]) => index + 1);
    for (let length = ends[0] ?? 0; length < whole.length; length += 1) {
      writeFileSync(path, whole.subarray(0, length));
      const { entries, lostBytes } = read();
      const complete = ends.filter(end => end <= length);
      assert.equal(entries.length, complete.length - 1);
      assert.equal(lostBytes, length - (complete.at(-1) ?? 0));
      assert.equal(statSync(path).size, complete.at(-1));
    }
  });

  it('goes on after a damaged end with the next seq', () => {
    write('a', 'b');
    appendFileSync(path, '{"seq":3,"block":{"type":"te');
    const opened = Journal.open(path, () => undefined);
    assert.ok(opened);
    assert.equal(opened.journal.append(text('c')), 3);
    opened.journal.dispose();
    assert.deepEqual(
      read().entries.map(entry => entry.seq),
      [1, 2, 3],
    );
  });

  it('stops at an entry that is out of order or no block', () => {
    write('a');
    appendFileSync(path, `${JSON.stringify({ seq: 3, block: text('x') })}\n`);
    assert.equal(read().entries.length, 1);
    appendFileSync(path, `${JSON.stringify({ seq: 2, block: { type: 'mystery' } })}\n`);
    assert.equal(read().entries.length, 1);
  });

  it('refuses a file that is no journal', () => {
    writeFileSync(path, '{"hello":"world"}\n');
    assert.equal(
      Journal.open(path, () => undefined),
      undefined,
    );
    truncateSync(path);
    assert.equal(
      Journal.open(path, () => undefined),
      undefined,
    );
  });

  it('waits for the disk when it is flushed, and not with every line', () => {
    const flushed: number[] = [];
    const real = fs.fsyncSync;
    // Watches the real call: whether a disk has something shows only when the machine dies.
    const watch = mock.method(fs, 'fsyncSync', (file: number) => {
      flushed.push(fstatSync(file).ino);
      real(file);
    });
    syncBuiltinESMExports();
    try {
      const journal = Journal.create(path, header);
      journal.append(text('a'));
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
    const journal = Journal.create(path, header);
    const long = '日本\u2028'.repeat(16_000);
    journal.append(text('a', long));
    journal.append(text('b', long));
    journal.dispose();
    assert.deepEqual(
      read().entries.map(({ block }) => block.type === 'text' && block.text === long),
      [true, true],
    );
  });
});
