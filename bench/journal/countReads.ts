import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Bytes that this process has read since the count began. */
export interface ReadCount {
  bytes: number;
}

/** From now on counts what this process reads of files, synchronously: there is no other way in a journal. */
export function countReads(): ReadCount {
  const count: ReadCount = { bytes: 0 };
  const { readSync, readFileSync } = fs;
  const countedRead = (...args: Parameters<typeof readSync>): number => {
    const got = readSync(...args);
    count.bytes += got;
    return got;
  };
  const countedReadFile = (...args: Parameters<typeof readFileSync>): string | Buffer => {
    const content = readFileSync(...args);
    count.bytes += Buffer.byteLength(content);
    return content;
  };
  Object.assign(fs, { readSync: countedRead, readFileSync: countedReadFile });
  syncBuiltinESMExports();
  return count;
}
