import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reopen, sampleIds } from './sampleJournal.ts';

const writer = join(import.meta.dirname, '..', '..', 'fakes', 'journalWriter.ts');

describe('a journal whose process is killed [D5] [F40]', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tjk-'));
    path = join(folder, 's1.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** @returns the last `seq` that the process had said when it was killed, some time after `count` more were there */
  async function killAfter(count: number): Promise<number> {
    const child = spawn(process.execPath, [writer, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    let said = '';
    let lines = 0;
    child.stdout.setEncoding('latin1');
    child.stdout.on('data', (part: string) => {
      said = (said + part).slice(-64);
      lines += part.split('\n').length - 1;
      if (lines >= count) child.kill('SIGKILL');
    });
    await closed;
    assert.equal(child.signalCode, 'SIGKILL');
    return Number(said.trimEnd().split('\n').at(-1));
  }

  it('has everything that was told before, each time, with no seq missing or given twice', async () => {
    let before = 0;
    for (const count of [1, 30, 5, 90, 13, 50, 2, 70]) {
      const told = await killAfter(count);
      assert.ok(told >= before + count);
      const { history, lastSeq, lostEntries } = reopen(path);
      assert.ok(lastSeq >= told, `${String(lastSeq)} is before ${String(told)}`);
      assert.equal(lostEntries, 0);
      assert.deepEqual(
        history,
        sampleIds(lastSeq).map((id, index) => `${String(index + 1)} ${id}`),
      );
      before = lastSeq;
    }
    const later = join(folder, 's1.journal');
    assert.ok(readdirSync(later).length > 20, 'it was killed among many files');
  });
});
