import { open } from 'node:fs/promises';
import * as z from 'zod/mini';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { LineSplitter } from '../lineSplitter.ts';
import { recordTime } from './recordTime.ts';

const chunkBytes = 256 * 1024;
/** A longer line is looked at no further than its beginning would say: it is passed over. */
const lineBytes = 4 * 1_048_576;

/** What somebody said or did; the rest are accounts that Claude Code keeps for itself. */
const timed = z.object({
  type: z.enum(['user', 'assistant']),
  timestamp: z.string(),
  isMeta: z.optional(z.nullable(z.literal(false))),
  isSidechain: z.optional(z.nullable(z.literal(false))),
});

/**
 * Where what was written after a time begins in a conversation's file: the beginning of the first line, of
 * those in which something was said or done, that says a later one. Its lines are in the order in which they were written.
 *
 * @param at Unix milliseconds; 0 for the beginning
 * @param mostBytes how much is looked at: only the end of a longer file
 * @returns 0 when there is no such file; else an offset at which a line begins; the end of the last line when nothing is newer
 */
export async function placeAfter(file: string, at: number, mostBytes: number): Promise<number> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return 0;
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - mostBytes);
    const splitter = new LineSplitter(lineBytes);
    // What is left of the line in whose middle reading begins is none.
    let isCut = from > 0;
    let begins = from;
    for (let position = from; ;) {
      // The splitter keeps what it is given.
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const { bytesRead } = await handle.read(chunk, 0, chunkBytes, position);
      if (bytesRead === 0) return begins;
      position += bytesRead;
      for (const { text, end } of splitter.push(chunk.subarray(0, bytesRead), position)) {
        if (!isCut && (at === 0 || isLater(text, at))) return begins;
        isCut = false;
        begins = end;
      }
    }
  } finally {
    await handle.close();
  }
}

function isLater(line: string, at: number): boolean {
  const record = timed.safeParse(jsonValue(line));
  return record.success && (recordTime(record.data) ?? 0) > at;
}
