import { rmSync } from 'node:fs';
import type { Block } from '../../core/protocol/block/block.ts';
import { Journal } from './journal.ts';
import type { JournalHeader } from './journalHeader.ts';
import type { SessionRestorer } from './restoreSession.ts';

/**
 * A new journal with its first block.
 *
 * @throws when the disk is full, say; nothing is left of it then
 */
export function beginJournal(
  path: string,
  header: JournalHeader,
  first: Block,
  restorer: SessionRestorer,
): Journal {
  const journal = Journal.create(path, header, { state: restorer });
  try {
    journal.append(first);
    journal.flush();
  } catch (error) {
    journal.dispose();
    rmSync(path, { force: true });
    throw error;
  }
  restorer.add(first);
  return journal;
}
