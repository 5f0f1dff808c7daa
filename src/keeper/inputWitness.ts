import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { processTable } from './processTable.ts';

/** How long a program that is busy may leave its input unread. */
const busyMs = 5_000;
const pollMs = 4;
/** Where nobody can tell: what a program needs to read, at the least, and for each KiB. */
const guess = { ms: 250, perKiB: 4 } as const;

/** Input that was about to be written. */
export interface InputMark {
  /** Waits until the program has read `bytes` of input, as far as that can be told; at most 5 seconds. Throws when aborted. */
  untilRead(bytes: number, signal: AbortSignal): Promise<void>;
}

/**
 * Tells when a program has read what was typed: a terminal takes input long before. On Linux the system counts what each
 * process has read; one that has read so much, and rests, has nothing left to read. Elsewhere a pause has to do.
 */
export class InputWitness {
  readonly #root: number;
  readonly #canCount: boolean;

  /** @param root the program that leads the terminal's session */
  constructor(root: number, platform: NodeJS.Platform = process.platform) {
    this.#root = root;
    this.#canCount = platform === 'linux' && readBytes(root) !== undefined;
  }

  /** To be called before the input is written. */
  mark(): InputMark {
    const pids = this.#canCount
      ? processTable().flatMap(({ pid, session }) => (session === this.#root ? [pid] : []))
      : [];
    const before = pids.map(pid => ({ pid, bytes: readBytes(pid) ?? 0 }));
    return {
      untilRead: async (bytes, signal) => {
        if (before.length === 0) {
          await delay(guess.ms + (bytes / 1_024) * guess.perKiB, undefined, { signal });
          return;
        }
        const hasRead = (): boolean =>
          before.some(each => (readBytes(each.pid) ?? 0) - each.bytes >= bytes && isResting(each.pid));
        for (const end = performance.now() + busyMs; !hasRead() && performance.now() < end;)
          await delay(pollMs, undefined, { signal });
      },
    };
  }
}

/** All that a process has read, of files, too: it can only be more than its input. */
function readBytes(pid: number): number | undefined {
  const [, count] = /^rchar: (\d+)$/m.exec(contentOf(pid, 'io')) ?? [];
  return count === undefined ? undefined : Number(count);
}

function isResting(pid: number): boolean {
  const stat = contentOf(pid, 'stat');
  return stat.charAt(stat.lastIndexOf(')') + 2) === 'S';
}

function contentOf(pid: number, file: 'io' | 'stat'): string {
  try {
    return readFileSync(`/proc/${String(pid)}/${file}`, 'latin1');
  } catch {
    // It has ended, or another user's.
    return '';
  }
}
