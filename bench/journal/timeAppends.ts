import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Journal } from '../../src/session/journal.ts';
import { segmentFolder } from '../../src/session/journalSegments.ts';
import { benchSession } from './benchSession.ts';
import { sampleTurn } from './sampleBlocks.ts';

const rounds = 7;
const turns = 60;
const resultChars = 2_000;

/** Milliseconds, one for each round; both write the same bytes in as many writes, and wait for the disk as often. */
export interface AppendTimes {
  readonly journalMs: readonly number[];
  readonly bareMs: readonly number[];
  readonly entries: number;
}

/** @param flushes wait for the disk at the end of each turn */
export function timeAppends(folder: string, { flushes }: { readonly flushes: boolean }): AppendTimes {
  const all = Array.from({ length: turns }, (_, turn) => sampleTurn(turn, resultChars));
  let seq = 0;
  const lines = all.map(blocks =>
    blocks.map(block => Buffer.from(`${JSON.stringify({ seq: (seq += 1), block })}\n`)),
  );
  const path = join(folder, 'append.jsonl');
  const journal = (): number => {
    const opened = Journal.create(path, benchSession);
    const begun = performance.now();
    for (const blocks of all) {
      for (const block of blocks) opened.append(block);
      if (flushes) opened.flush();
    }
    const took = performance.now() - begun;
    opened.dispose();
    rmSync(path);
    rmSync(segmentFolder(path), { recursive: true, force: true });
    return took;
  };
  const bare = (): number => {
    const file = openSync(path, 'wx');
    const begun = performance.now();
    for (const turn of lines) {
      for (const line of turn) writeSync(file, line);
      if (flushes) fsyncSync(file);
    }
    const took = performance.now() - begun;
    closeSync(file);
    rmSync(path);
    return took;
  };
  // The first of each is a warm-up.
  journal();
  bare();
  const samples = Array.from({ length: rounds }, () => ({ journalMs: journal(), bareMs: bare() }));
  return {
    journalMs: samples.map(({ journalMs }) => journalMs),
    bareMs: samples.map(({ bareMs }) => bareMs),
    entries: seq,
  };
}
