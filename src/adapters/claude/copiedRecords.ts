import { followFile } from '../followFile.ts';
import { chainRecord } from './chainRecord.ts';
import { SeenRecords } from './seenRecords.ts';

/** Of the earlier file, records that are looked for: the newest. */
const lookedFor = 100_000;

/**
 * How much of a conversation's file was copied from an earlier one: a conversation that is forked begins with the records of
 * its origin, and so does, in older versions, one that is resumed. Both files are read whole, a line at a time.
 *
 * @returns the offset after the last copied line, in bytes; 0 when nothing was copied
 */
export async function copiedFrom(earlier: string | undefined, later: string | undefined): Promise<number> {
  if (earlier === undefined || later === undefined) return 0;
  const known = new SeenRecords(lookedFor);
  for await (const { uuid } of records(earlier)) known.add(uuid);
  let copied = 0;
  for await (const { uuid, end } of records(later)) if (known.has(uuid)) copied = end;
  return copied;
}

async function* records(file: string): AsyncGenerator<{ readonly uuid: string; readonly end: number }> {
  for await (const line of followFile({ locate: () => file, from: 0, finished: AbortSignal.abort() })) {
    const record = line === 'quiet' ? undefined : chainRecord(line);
    if (record !== undefined) yield record;
  }
}
