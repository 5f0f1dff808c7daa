import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from '../latency/childProgram.ts';
import type { Measurement } from '../report/benchRow.ts';
import { openCost } from './openCost.ts';
import { timeAppends } from './timeAppends.ts';
import { timeReplays } from './timeReplays.ts';
import { toJournalMeasurements } from './toJournalMeasurements.ts';
import { writeLongSession } from './writeLongSession.ts';

const longBytes = 600_000_000;

/** @param parent a folder on the disk that is to be measured, with room for 700 MB; nothing is left there */
export async function measureJournal(parent: string): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(parent, 'journal-'));
  try {
    const appends = timeAppends(folder, { flushes: false });
    const flushed = timeAppends(folder, { flushes: true });
    const replays = timeReplays(folder);
    const path = join(folder, 'long.jsonl');
    writeLongSession(path, longBytes);
    const program = startChild('../journal/openProgram.ts', [path]);
    try {
      const open = openCost.parse(await program.next());
      return toJournalMeasurements({ appends, flushed, replays, open, longBytes });
    } finally {
      program.dispose();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
