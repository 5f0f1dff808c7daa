import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { jsonValue } from '../../core/base/jsonValue.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import { agentId, sessionId } from '../../core/protocol/ids.ts';
import { block, type Block } from '../../core/protocol/block/block.ts';

const journalHeader = z.object({
  journal: z.literal(1),
  session_id: sessionId,
  agent_id: agentId,
  agent_name: z.string(),
  cwd: z.string(),
  /** Distinguishes incarnations of one session id; a reader that knows another one starts over. */
  generation: z.int().check(z.gte(0)),
});
export type JournalHeader = z.infer<typeof journalHeader>;

const outputPlace = z.object({ source: z.string().check(z.maxLength(64)), end: z.int().check(z.gte(0)) });
/** The agent's line that an entry was made of: where it ends, and in which process's output. */
export type OutputPlace = z.infer<typeof outputPlace>;

const journalEntry = z.object({ seq: z.int().check(z.gte(1)), block, from: z.optional(outputPlace) });
export type JournalEntry = z.infer<typeof journalEntry>;

const readBytes = 262_144;

/**
 * The one record of a session: append-only, one JSON line a block, `seq` growing by one. A line is in the file before
 * anybody hears of it, so that a killed process loses nothing; `flush` makes it survive the machine.
 */
export class Journal implements Disposable {
  readonly header: JournalHeader;
  readonly #file: number;
  /** Byte offset of each entry, by `seq` - 1: replay reads from the file, so that memory stays small. */
  readonly #offsets: number[];
  #end: number;
  #open = true;

  private constructor(file: number, header: JournalHeader, offsets: number[], end: number) {
    this.#file = file;
    this.header = header;
    this.#offsets = offsets;
    this.#end = end;
  }

  /** @throws when the file exists or cannot be made */
  static create(path: string, header: JournalHeader): Journal {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(path, 'wx+', 0o600);
    const line = Buffer.from(`${JSON.stringify(header)}\n`);
    writeFileSync(file, line);
    return new Journal(file, header, [], line.length);
  }

  /**
   * Opens a journal and hands every entry to `restore`. What follows the last whole entry is cut off: it was never
   * acknowledged to anybody.
   *
   * @returns undefined when the file is no journal
   */
  static open(
    path: string,
    restore: (entry: JournalEntry) => void,
  ): { journal: Journal; lostBytes: number } | undefined {
    const file = openSync(path, 'r+');
    let header: JournalHeader | undefined;
    const offsets: number[] = [];
    let end = 0;
    for (const { text, from, to } of linesOf(file, 0)) {
      const value = jsonValue(text);
      if (header === undefined) {
        const parsed = journalHeader.safeParse(value);
        if (!parsed.success) break;
        header = parsed.data;
      } else {
        const parsed = journalEntry.safeParse(value);
        if (!parsed.success || parsed.data.seq !== offsets.length + 1) break;
        offsets.push(from);
        restore(parsed.data);
      }
      end = to;
    }
    if (header === undefined) {
      closeSync(file);
      return undefined;
    }
    const lostBytes = fstatSync(file).size - end;
    if (lostBytes > 0) ftruncateSync(file, end);
    return { journal: new Journal(file, header, offsets, end), lostBytes };
  }

  /** What a journal says of itself; undefined when the file is none. */
  static peek(path: string): JournalHeader | undefined {
    const file = openSync(path, 'r');
    try {
      for (const { text } of linesOf(file, 0)) {
        const parsed = journalHeader.safeParse(jsonValue(text));
        return parsed.success ? parsed.data : undefined;
      }
      return undefined;
    } finally {
      closeSync(file);
    }
  }

  get lastSeq(): number {
    return this.#offsets.length;
  }

  /** @returns the entry's `seq` */
  append(content: Block, from?: OutputPlace): number {
    const seq = this.#offsets.length + 1;
    const line = Buffer.from(`${JSON.stringify({ seq, block: content, from })}\n`);
    for (let at = 0; at < line.length;)
      at += writeSync(this.#file, line, at, line.length - at, this.#end + at);
    this.#offsets.push(this.#end);
    this.#end += line.length;
    return seq;
  }

  /** Entries after `seq`, as they were when the iteration reached them. */
  *since(seq: number): Generator<JournalEntry, void, void> {
    const from = this.#offsets[seq];
    if (from === undefined || !this.#open) return;
    for (const { text } of linesOf(this.#file, from)) {
      const parsed = journalEntry.safeParse(jsonValue(text));
      if (!parsed.success) return;
      yield parsed.data;
    }
  }

  /** Waits for the disk. Called at turn ends and before an approval is acted on. */
  flush(): void {
    if (this.#open) fsyncSync(this.#file);
  }

  dispose(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#file);
  }
}

/** Whole lines from an offset to the end of the file, with their byte ranges. */
function* linesOf(
  file: number,
  start: number,
): Generator<{ text: string; from: number; to: number }, void, void> {
  let pending = Buffer.alloc(0);
  let base = start;
  for (;;) {
    const chunk = Buffer.alloc(readBytes);
    const count = readSync(file, chunk, 0, readBytes, base + pending.length);
    if (count === 0) return;
    pending = Buffer.concat([pending, chunk.subarray(0, count)]);
    let from = 0;
    for (let newline = pending.indexOf(0x0a); newline >= 0; newline = pending.indexOf(0x0a, from)) {
      yield { text: pending.toString('utf8', from, newline), from: base + from, to: base + newline + 1 };
      from = newline + 1;
    }
    pending = pending.subarray(from);
    base += from;
  }
}
