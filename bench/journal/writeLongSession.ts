import { closeSync, openSync, writeSync } from 'node:fs';
import { Journal } from '../../src/session/journal.ts';
import { listSegments } from '../../src/session/journalSegments.ts';
import { SessionRestorer } from '../../src/session/restoreSession.ts';
import { benchSession } from './benchSession.ts';
import { sampleTurn } from './sampleBlocks.ts';

const resultChars = 30_000;
const foreignLineBytes = 11_000_000;

/**
 * A session as long as any that was reported (field case F12), written as a session writes it; in its newest file a line of
 * eleven megabytes that nobody here would write.
 *
 * @param bytes of all blocks together, about
 */
export function writeLongSession(path: string, bytes: number): void {
  const state = new SessionRestorer();
  const journal = Journal.create(path, benchSession, { state });
  let written = 0;
  const write = (turn: number): void => {
    for (const block of sampleTurn(turn, resultChars)) {
      journal.append(block);
      state.add(block);
      written += JSON.stringify(block).length;
    }
  };
  let turn = 0;
  for (; written < bytes; turn += 1) write(turn);
  journal.dispose();
  const newest = listSegments(path).at(-1)?.path;
  if (newest === undefined) throw new Error('no session');
  const file = openSync(newest, 'a');
  writeSync(file, Buffer.alloc(foreignLineBytes, 'x'));
  writeSync(file, '\n');
  closeSync(file);
}
