import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const chunkBytes = 4 * 1024 * 1024;
/** An overlap, so that nothing that is searched for is cut in two. */
const overlapBytes = 1024;

/**
 * How often each text stands in the writable memory of a process that goes on running: heap, stacks and buffers, in one byte a
 * character and in two, which is how a JavaScript engine holds strings. Linux; of the same user, or as root.
 *
 * @param needles ASCII, at most 512 characters each
 */
export function countInMemory(pid: number, needles: readonly string[]): number[] {
  const forms = needles.map(text => [Buffer.from(text, 'latin1'), Buffer.from(text, 'utf16le')]);
  const counts = needles.map(() => 0);
  const memory = openSync(`/proc/${String(pid)}/mem`, 'r');
  try {
    for (const { start, end } of writableRegions(pid))
      for (let at = start; at < end; at += chunkBytes - overlapBytes) {
        const piece = Buffer.alloc(Math.min(chunkBytes, end - at));
        const length = readOrNothing(memory, piece, at);
        forms.forEach((each, index) => {
          for (const form of each)
            counts[index] = (counts[index] ?? 0) + countOf(piece.subarray(0, length), form);
        });
      }
  } finally {
    closeSync(memory);
  }
  return counts;
}

function writableRegions(pid: number): { start: number; end: number }[] {
  return readFileSync(`/proc/${String(pid)}/maps`, 'utf8')
    .split('\n')
    .flatMap(line => {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      return from === undefined || to === undefined
        ? []
        : [{ start: Number.parseInt(from, 16), end: Number.parseInt(to, 16) }];
    });
}

/** Memory that was given back between the listing and the reading holds nothing any more. */
function readOrNothing(memory: number, piece: Buffer, at: number): number {
  try {
    return readSync(memory, piece, 0, piece.length, at);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EIO') return 0;
    throw error;
  }
}

function countOf(bytes: Buffer, form: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(form); at !== -1; at = bytes.indexOf(form, at + 1)) count += 1;
  return count;
}

/** The most memory that a process has had at once, in MB of 1,000,000 bytes. Linux. */
export function peakMemoryMb(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8')) ?? [];
  return (Number(kib) * 1_024) / 1_000_000;
}
