import { watch, type FSWatcher } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import type { AgentLine } from './agent.ts';
import { LineSplitter } from './lineSplitter.ts';

const chunkBytes = 64 * 1024;
/** Longer lines are passed over. */
const lineBytes = 4 * 1_048_576;

export interface FollowFile {
  /** Where the file is; undefined as long as there is none. */
  readonly locate: () => string | undefined;
  /** Where reading begins, in bytes; in the middle of a line it begins with what is left of it. */
  readonly from: number;
  /** Aborted when nobody writes any more: what is left is read to the end, and the iteration ends. */
  readonly finished: AbortSignal;
  /** How often a file is looked at that no event tells of, in milliseconds. */
  readonly pollMs?: number;
  /** After how long without a new line `quiet` is told, in milliseconds. */
  readonly quietMs?: number;
}

/** A complete line, or that nothing has followed the last one for a while, which is told once after each line. */
export type FollowedLine = AgentLine | 'quiet';

/**
 * The lines of a file that another program appends to: those that are there, then each as soon as its newline is. A file
 * that is not there yet is waited for. Only reads, and holds one chunk and one line in memory, whatever the file's size.
 *
 * Ends quietly when the file became shorter than what was read of it, or another file took its place: offsets would name
 * other bytes from then on. Also ends when it cannot be read.
 */
export async function* followFile(options: FollowFile): AsyncGenerator<FollowedLine, void, void> {
  const { locate, from, finished, pollMs = 1_000, quietMs = 1_500 } = options;
  const bell = new Bell(finished);
  let handle: FileHandle | undefined;
  try {
    const file = await waitForFile(locate, finished, bell, pollMs);
    handle = file === undefined ? undefined : await open(file, 'r').catch(() => undefined);
    if (file === undefined || handle === undefined) return;
    bell.watch(file);
    const splitter = new LineSplitter(lineBytes);
    let position = from;
    let quietAt: number | undefined;
    for (;;) {
      // Looked at before reading: what was written until then is read, so nothing is missed at the end.
      const isLast = finished.aborted;
      if (!(await isStill(file, handle, position))) return;
      for await (const bytes of chunks(handle, position)) {
        position += bytes.length;
        for (const line of splitter.push(bytes, position)) {
          quietAt = performance.now() + quietMs;
          yield line;
        }
      }
      if (isLast) return;
      const untilQuiet = quietAt === undefined ? pollMs : quietAt - performance.now();
      if (untilQuiet <= 0) {
        quietAt = undefined;
        yield 'quiet';
      } else await bell.wait(Math.min(pollMs, untilQuiet));
    }
  } finally {
    bell.dispose();
    await handle?.close();
  }
}

async function waitForFile(
  locate: () => string | undefined,
  finished: AbortSignal,
  bell: Bell,
  pollMs: number,
): Promise<string | undefined> {
  for (;;) {
    const isLast = finished.aborted;
    const file = locate();
    if (file !== undefined || isLast) return file;
    await bell.wait(pollMs);
  }
}

/** What there is from `position` on. Ends, too, when the file cannot be read. */
async function* chunks(handle: FileHandle, position: number): AsyncGenerator<Buffer, void, void> {
  for (let place = position; ;) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const read = await handle.read(chunk, 0, chunkBytes, place).catch(() => undefined);
    if (read === undefined || read.bytesRead === 0) return;
    place += read.bytesRead;
    yield chunk.subarray(0, read.bytesRead);
  }
}

/** Whether the open file is the one that is found by its name, and holds all that was read of it. */
async function isStill(file: string, handle: FileHandle, position: number): Promise<boolean> {
  const named = await stat(file).catch(() => undefined);
  const opened = await handle.stat().catch(() => undefined);
  if (named === undefined || opened === undefined) return false;
  return named.ino === opened.ino && named.dev === opened.dev && opened.size >= position;
}

/** Rings when the file changes, where the system tells so, and at the end. A ring while nobody waits is kept. */
class Bell {
  readonly #finished: AbortSignal;
  #watcher: FSWatcher | undefined;
  #hasRung = false;
  #wake: (() => void) | undefined;

  constructor(finished: AbortSignal) {
    this.#finished = finished;
    finished.addEventListener('abort', this.#ring);
  }

  watch(file: string): void {
    try {
      this.#watcher = watch(file, { persistent: false }, this.#ring);
      // A system that cannot watch, or no more: looking every now and then is enough.
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      this.#watcher = undefined;
    }
  }

  async wait(milliseconds: number): Promise<void> {
    if (!this.#hasRung) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    this.#hasRung = false;
  }

  dispose(): void {
    this.#finished.removeEventListener('abort', this.#ring);
    this.#watcher?.close();
  }

  readonly #ring = (): void => {
    this.#hasRung = true;
    this.#wake?.();
  };
}
