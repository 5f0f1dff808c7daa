import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Block } from '../../../core/protocol/block/block.ts';
import { blockId } from '../../../core/protocol/ids.ts';
import { Journal } from '../../../src/session/journal.ts';
import { mendRecord } from '../../../src/session/mendRecord.ts';
import { SessionRestorer } from '../../../src/session/restoreSession.ts';
import { sampleHeader, sampleText } from './sampleJournal.ts';

describe('the mode of a session whose record was damaged [M67]', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tlm-'));
    path = join(folder, 's1.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function mode(value: string): Block {
    return { type: 'mode_changed', ts: 1, id: blockId.parse(`mode_${value}`), mode: value };
  }

  function write(...blocks: readonly Block[]): void {
    const journal = Journal.create(path, sampleHeader);
    for (const block of blocks) journal.append(block);
    journal.dispose();
  }

  /** Makes what this finds unreadable. */
  function damage(found: RegExp, instead: string): void {
    writeFileSync(path, readFileSync(path, 'utf8').replace(found, instead));
  }

  /** What is written about the mode when the record is opened, and the mode then. */
  function reopened(): readonly (string | undefined)[] {
    const restorer = new SessionRestorer();
    const opened = Journal.open(path, entry => restorer.add(entry.block, entry.from), { state: restorer });
    assert.ok(opened);
    const place = { now: 2, uniqueId: () => '0'.repeat(32) };
    const mended = mendRecord(restorer, opened.lostBytes > 0, place);
    for (const block of mended) {
      opened.journal.append(block);
      restorer.add(block);
    }
    opened.journal.dispose();
    return [
      ...mended.flatMap(block => (block.type === 'mode_changed' ? [`told ${block.mode}`] : [])),
      restorer.state.mode,
    ];
  }

  it('is the strictest when the entry that made it stricter may be what was lost, and says so once', () => {
    write(mode('full_access'), mode('ask'), sampleText('t1'));
    damage(/\{"seq":2,/, '{"seq":x,');
    assert.deepEqual(reopened(), ['told ask', 'ask']);
    assert.deepEqual(reopened(), ['ask']);
  });

  it('is the strictest when the end of the record was cut off', () => {
    write(mode('full_access'), mode('ask'));
    damage(/\n$/, '');
    assert.deepEqual(reopened(), ['told ask', 'ask']);
  });

  it('is what the desk chose after the damage', () => {
    write(sampleText('t1'), mode('full_access'));
    damage(/\{"seq":1,/, '{"seq":x,');
    assert.deepEqual(reopened(), ['full_access']);
  });
});
