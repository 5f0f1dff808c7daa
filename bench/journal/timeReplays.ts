import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Journal } from '../../src/session/journal.ts';
import { listSegments } from '../../src/session/journalSegments.ts';
import { SessionRestorer } from '../../src/session/restoreSession.ts';
import { benchSession } from './benchSession.ts';
import { sampleTurn } from './sampleBlocks.ts';

const rounds = 5;
const turns = 300;
const resultChars = 2_000;

/** Milliseconds, one for each round. */
export interface ReplayTimes {
  /** Every entry is read, checked and handed over. */
  readonly replayMs: readonly number[];
  /** A start without any checkpoint: every entry is read, and the state built of it. */
  readonly restoreMs: readonly number[];
  /** The files read whole, cut at their newlines, and each line parsed as JSON. */
  readonly bareMs: readonly number[];
  readonly bytes: number;
}

export function timeReplays(folder: string): ReplayTimes {
  const path = join(folder, 'replay.jsonl');
  const written = Journal.create(path, benchSession);
  for (let turn = 0; turn < turns; turn += 1)
    for (const block of sampleTurn(turn, resultChars)) written.append(block);
  const timed = (task: () => void): number => {
    const begun = performance.now();
    task();
    return performance.now() - begun;
  };
  const files = listSegments(path).map(segment => segment.path);
  const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
  const replay = (): void => {
    let count = 0;
    for (const { seq } of written.since(0)) count = seq;
    if (count !== written.lastSeq) throw new Error('not all of it was read');
  };
  const restore = (): void => {
    const state = new SessionRestorer();
    Journal.open(path, ({ block, from }) => state.add(block, from))?.journal.dispose();
  };
  const bare = (): void => {
    for (const file of files)
      for (const line of readFileSync(file, 'utf8').split('\n')) if (line !== '') JSON.parse(line);
  };
  for (const warmUp of [replay, restore, bare]) warmUp();
  const samples = Array.from({ length: rounds }, () => ({
    replayMs: timed(replay),
    restoreMs: timed(restore),
    bareMs: timed(bare),
  }));
  written.dispose();
  return {
    replayMs: samples.map(({ replayMs }) => replayMs),
    restoreMs: samples.map(({ restoreMs }) => restoreMs),
    bareMs: samples.map(({ bareMs }) => bareMs),
    bytes,
  };
}
