import type { Block } from '../../../core/protocol/block/block.ts';
import { agentId, blockId, sessionId } from '../../../core/protocol/ids.ts';
import { Journal, type JournalOptions } from '../../../src/session/journal.ts';
import type { JournalEntry } from '../../../src/session/journalEntry.ts';
import type { JournalHeader } from '../../../src/session/journalHeader.ts';

export const sampleHeader: JournalHeader = {
  journal: 1,
  session_id: sessionId.parse('s1'),
  agent_id: agentId.parse('demo'),
  agent_name: 'Demo agent',
  cwd: '/work',
  generation: 0,
};

export function sampleText(id: string, content = id): Block {
  return { type: 'text', ts: 1, id: blockId.parse(id), text: content, done: true };
}

/** Makes a journal with one text for each id, and closes it. */
export function writeSample(path: string, ids: readonly string[], options: JournalOptions = {}): void {
  const journal = Journal.create(path, sampleHeader, options);
  for (const id of ids) journal.append(sampleText(id));
  journal.dispose();
}

/** Ids `t1` to `t<count>`. */
export function sampleIds(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `t${String(index + 1)}`);
}

/** What a journal tells, in words: `3 t3`, or `3 lost_2` where an entry cannot be read. */
export function told(entries: Iterable<JournalEntry>): readonly string[] {
  return Array.from(entries, ({ seq, block }) => `${String(seq)} ${'id' in block ? block.id : ''}`);
}

/** Opens a journal and closes it again. */
export function reopen(
  path: string,
  options: JournalOptions = {},
): {
  /** What was handed over when it was opened. */
  readonly restored: readonly string[];
  /** What it tells from the beginning. */
  readonly history: readonly string[];
  readonly lastSeq: number;
  readonly lostBytes: number;
  readonly lostEntries: number;
} {
  const entries: JournalEntry[] = [];
  const opened = Journal.open(path, entry => entries.push(entry), options);
  if (opened === undefined) throw new Error('no journal');
  const { journal, lostBytes, lostEntries } = opened;
  const history = told(journal.since(0));
  journal.dispose();
  return { restored: told(entries), history, lastSeq: journal.lastSeq, lostBytes, lostEntries };
}
