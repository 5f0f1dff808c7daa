import { readFileSync, rmSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { writeOwnerFile } from '../../platform/node/files/ownerFile.ts';
import type { JournalHeader } from './journalHeader.ts';
import { namesIn, segmentFolder, type JournalSegment } from './journalSegments.ts';

/** A larger one is not kept: the entries are read then. */
const maxChars = 8 * 1_048_576;
/** Should the newest be damaged, the one before it costs one more file to read. */
const kept = 2;

/** What can be built from a journal's entries, and kept beside them so that not all have to be read. */
export interface CheckpointedState {
  /** A JSON value. */
  save(): unknown;
  /** @returns false, with nothing changed, when it is no state of this version */
  load(saved: unknown): boolean;
  /** An entry is missing here: it cannot be read. */
  lose(): void;
}

const checkpointHead = z.object({
  checkpoint: z.literal(1),
  session_id: z.string(),
  generation: z.int(),
  /** Of the last entry that it holds. */
  seq: z.int(),
  /** Of the sealed file whose end this is: another length is another content. */
  sealed_bytes: z.int(),
  /** Of the second line, in hex. */
  sha256: z.string(),
});

/** Where a checkpoint stands: between two files. */
export interface CheckpointPlace {
  readonly sealed: JournalSegment;
  readonly next: JournalSegment;
}

/** Keeps the state at the end of a sealed segment. Only a cache: what cannot be written, or read again, costs time alone. */
export function keepCheckpoint(
  path: string,
  header: JournalHeader,
  place: CheckpointPlace,
  state: CheckpointedState,
): void {
  const body = JSON.stringify(state.save());
  if (body.length > maxChars) return;
  try {
    const head: z.infer<typeof checkpointHead> = {
      checkpoint: 1,
      session_id: header.session_id,
      generation: header.generation,
      seq: place.next.first - 1,
      sealed_bytes: statSync(place.sealed.path).size,
      sha256: sha256(body),
    };
    writeOwnerFile(checkpointPath(path, place), `${JSON.stringify(head)}\n${body}\n`);
    removeOlder(segmentFolder(path));
  } catch {
    // The disk is full, say: the next append tells it.
  }
}

/** @returns whether the state at the end of a sealed segment was kept, can be relied on, and is loaded now */
export function loadCheckpoint(
  path: string,
  header: JournalHeader,
  place: CheckpointPlace,
  state: CheckpointedState,
): boolean {
  const file = checkpointPath(path, place);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  // A character is three bytes at most.
  if (size === 0 || size > 3 * maxChars) return false;
  const [first = '', body = ''] = readFileSync(file, 'utf8').split('\n', 2);
  const head = checkpointHead.safeParse(jsonValue(first));
  if (!head.success) return false;
  const { session_id, generation, seq, sealed_bytes, sha256: digest } = head.data;
  const isOfThis =
    session_id === header.session_id &&
    generation === header.generation &&
    seq === place.next.first - 1 &&
    sealed_bytes === statSync(place.sealed.path).size &&
    digest === sha256(body);
  return isOfThis && state.load(jsonValue(body));
}

function removeOlder(folder: string): void {
  const older = namesIn(folder)
    .filter(name => /^\d{16}\.state$/.test(name))
    .sort()
    .slice(0, -kept);
  for (const name of older) rmSync(join(folder, name), { force: true });
}

function checkpointPath(path: string, { next }: CheckpointPlace): string {
  return join(segmentFolder(path), `${String(next.first - 1).padStart(16, '0')}.state`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
