// node journalWriter.ts PATH — appends to a journal without end, in files of a few entries, and says each `seq` when it is there.
import { existsSync, writeSync } from 'node:fs';
import { SessionRestorer } from '../../src/session/restoreSession.ts';
import { Journal } from '../../src/session/journal.ts';
import { sampleHeader, sampleText } from '../unit/session/sampleJournal.ts';

const [, , path] = process.argv;
if (path === undefined) throw new Error('too few words');
const state = new SessionRestorer();
const options = { segmentEntries: 7, state };
const journal = existsSync(path)
  ? Journal.open(path, ({ block, from }) => state.add(block, from), options)?.journal
  : Journal.create(path, sampleHeader, options);
if (journal === undefined) throw new Error('no journal');
for (;;) {
  const block = sampleText(`t${String(journal.lastSeq + 1)}`, 'x'.repeat((journal.lastSeq % 50) * 100));
  const seq = journal.append(block);
  state.add(block);
  writeSync(1, `${String(seq)}\n`);
}
