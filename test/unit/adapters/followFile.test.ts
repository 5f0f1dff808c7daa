import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followFile, type FollowFile, type FollowedLine } from '../../../src/adapters/followFile.ts';

describe('a file that is followed by lines', () => {
  let folder: string;
  let file: string;
  let finished: AbortController;
  const opened: AsyncGenerator<FollowedLine, void, void>[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tn-'));
    file = join(folder, 'a.jsonl');
    finished = new AbortController();
  });
  afterEach(async () => {
    finished.abort();
    for (const lines of opened.splice(0)) await lines.return();
    rmSync(folder, { recursive: true, force: true });
  });

  function follow(options: Partial<FollowFile> = {}): AsyncGenerator<FollowedLine, void, void> {
    const usual = { locate: () => file, from: 0, finished: finished.signal, pollMs: 20, quietMs: 60_000 };
    const lines = followFile({ ...usual, ...options });
    opened.push(lines);
    return lines;
  }

  async function next(lines: AsyncGenerator<FollowedLine, void, void>): Promise<string | undefined> {
    const result = await lines.next();
    const line = result.done === true ? undefined : result.value;
    return typeof line === 'object' ? `${line.text}@${String(line.end)}` : line;
  }

  async function rest(lines: AsyncGenerator<FollowedLine, void, void>): Promise<(string | undefined)[]> {
    const told: (string | undefined)[] = [];
    for (let line = await next(lines); line !== undefined; line = await next(lines)) told.push(line);
    return told;
  }

  it('gives what is there, then what is added, and waits for a line to be complete', async () => {
    writeFileSync(file, 'one\ntwo\nthr');
    const lines = follow();
    assert.equal(await next(lines), 'one@4');
    assert.equal(await next(lines), 'two@8');
    const third = next(lines);
    appendFileSync(file, 'ee');
    appendFileSync(file, '\nfour\n');
    assert.equal(await third, 'three@14');
    assert.equal(await next(lines), 'four@19');
  });

  it('is told of additions by the system, long before it would look', async () => {
    writeFileSync(file, 'one\n');
    const lines = follow({ pollMs: 60_000 });
    await next(lines);
    const second = next(lines);
    // Until the watcher has been set up and the reader waits, an event may come too early: each ring makes it look again.
    const timer = setInterval(() => appendFileSync(file, 'more\n'), 20);
    assert.equal(await second, 'more@9');
    clearInterval(timer);
  });

  it('is waited for until it is there', async () => {
    const there: string[] = [];
    const lines = follow({ locate: () => there.at(0) });
    const first = next(lines);
    writeFileSync(file, 'one\n');
    there.push(file);
    assert.equal(await first, 'one@4');
  });

  it('is read from the offset that was asked for', async () => {
    writeFileSync(file, 'one\ntwo\nthree\n');
    finished.abort();
    assert.deepEqual(await rest(follow({ from: 4 })), ['two@8', 'three@14']);
  });

  it('is read to its end when nobody writes any more, without the line that was never finished', async () => {
    writeFileSync(file, 'one\n');
    const lines = follow({ pollMs: 60_000 });
    await next(lines);
    const others = rest(lines);
    appendFileSync(file, 'two\nthree\nunfini');
    finished.abort();
    assert.deepEqual(await others, ['two@8', 'three@14']);
  });

  it('that never comes ends when nobody writes any more', async () => {
    const lines = follow({ locate: () => undefined, pollMs: 60_000 });
    const end = lines.next();
    finished.abort();
    assert.deepEqual(await end, { value: undefined, done: true });
  });

  it('gives the same lines however it is written', async () => {
    const bytes = Buffer.from('{"a":"žluťoučký 🐎"}\n\u2028\r\n\n{"b":1}\n');
    writeFileSync(file, bytes);
    finished.abort();
    const whole = await rest(follow());
    assert.equal(whole.length, 4);
    finished = new AbortController();
    writeFileSync(file, '');
    const piecewise = rest(follow({ pollMs: 1 }));
    for (const byte of bytes) {
      appendFileSync(file, Buffer.from([byte]));
      await new Promise(resolve => setImmediate(resolve));
    }
    finished.abort();
    assert.deepEqual(await piecewise, whole);
  });

  it('may have lines longer than a chunk, and lines too long to be held, which are passed over', async () => {
    const long = 'x'.repeat(200_000);
    writeFileSync(file, `${long}\n${'y'.repeat(4 * 1_048_576 + 1)}\nafter\n`);
    finished.abort();
    const ends = [200_001, 200_001 + 4 * 1_048_576 + 2 + 6];
    assert.deepEqual(await rest(follow()), [`${long}@${String(ends[0])}`, `after@${String(ends[1])}`]);
  });

  it('tells once after each line that nothing has followed', async () => {
    writeFileSync(file, 'one\n');
    const lines = follow({ quietMs: 10, pollMs: 5 });
    assert.deepEqual([await next(lines), await next(lines)], ['one@4', 'quiet']);
    const third = next(lines);
    setTimeout(() => appendFileSync(file, 'two\n'), 60);
    assert.deepEqual([await third, await next(lines)], ['two@8', 'quiet']);
  });

  const ends: readonly (readonly [what: string, change: () => void])[] = [
    ['is cut', () => truncateSync(file, 2)],
    ['is deleted', () => rmSync(file)],
    [
      'is replaced',
      () => {
        writeFileSync(join(folder, 'b'), 'one\nother bytes\n');
        renameSync(join(folder, 'b'), file);
      },
    ],
  ];
  for (const [what, change] of ends) {
    it(`ends quietly when it ${what}`, async () => {
      writeFileSync(file, 'one\n');
      const lines = follow();
      await next(lines);
      const others = rest(lines);
      change();
      assert.deepEqual(await others, []);
    });
  }

  it('shorter than where reading begins ends at once', async () => {
    writeFileSync(file, 'one\n');
    assert.deepEqual(await rest(follow({ from: 100 })), []);
  });

  it('is closed when the reader breaks off, and at its end', async function () {
    if (process.platform !== 'linux') this.skip();
    writeFileSync(file, 'one\ntwo\n');
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    for await (const line of follow()) {
      assert.notEqual(line, 'quiet');
      break;
    }
    finished.abort();
    await rest(follow());
    assert.ok(open() <= before + 1, 'one more at most: the system’s own watcher');
  });
});
