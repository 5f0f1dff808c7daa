import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Journal, type JournalOptions } from '../../../src/session/journal.ts';
import { SessionRecord } from '../../../src/session/sessionRecord.ts';
import { SessionRestorer } from '../../../src/session/restoreSession.ts';
import { ShiftableClock } from '../../fakes/shiftableClock.ts';
import { sampleHeader, sampleIds, sampleText } from './sampleJournal.ts';

describe('the record of a session that runs', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'trc-'));
    path = join(folder, 's1.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** What a start makes of the journal, and of how many entries. */
  function restored(withCheckpoint: boolean): { saved: unknown; read: number } {
    const state = new SessionRestorer();
    let read = 0;
    const options: JournalOptions = withCheckpoint ? { state } : {};
    Journal.open(
      path,
      ({ block, from }) => {
        read += 1;
        state.add(block, from);
      },
      options,
    )?.journal.dispose();
    return { saved: state.save(), read };
  }

  it('has in its checkpoints what it was restored with and all that it wrote since, agent’s lines and prompts and all', () => {
    const state = new SessionRestorer();
    const journal = Journal.create(path, sampleHeader, { state, segmentEntries: 8 });
    let drawn = 0;
    const record = new SessionRecord(journal, state, {
      clock: new ShiftableClock(),
      uniqueId: () => String((drawn += 1)).padStart(32, '0'),
    });
    for (const [index, id] of sampleIds(20).entries()) {
      record.place = index === 12 ? { source: 'k1', end: 150 } : undefined;
      record.append(sampleText(id));
      if (index === 3) record.appendPrompt({ text: 'go', clientMsgId: 'c1', deviceId: undefined }, 'queued');
    }
    record.dispose();
    const [short, whole] = [restored(true), restored(false)];
    assert.deepEqual([short.read, whole.read], [5, 21]);
    assert.deepEqual(short.saved, whole.saved);
    assert.match(JSON.stringify(short.saved), /"end":150/);
  });
});
