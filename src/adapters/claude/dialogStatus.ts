import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Clock } from '../../../core/base/clock.ts';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { claudeFolder, type Environment } from './conversationFile.ts';

/** A note has about 500 bytes. */
const maxBytes = 16_384;
/** How long it may take to note anything; it notes nothing while it asks whether to trust a folder, or who logs in. */
const startMs = 10_000;

const note = z.object({
  sessionId: z.string(),
  status: z.optional(z.string()),
  statusUpdatedAt: z.optional(z.number()),
});

/** What Claude Code notes of itself in `~/.claude/sessions/<pid>.json`. */
export interface DialogStatus {
  /** It shows a dialog, and waits. */
  readonly isWaiting: boolean;
  /** Since when it is so; Unix milliseconds. */
  readonly since: number;
}

/**
 * Whether the Claude Code of a terminal waits in a dialog, by its own word. It notes it about 0.1 s after a dialog has come or
 * gone. Seen in 2.1.197 and 2.1.332.
 *
 * @param pid of the program that was started; the one that speaks may be a child of it
 * @returns a reader; what it reads is undefined while it is starting, and with a version that notes nothing
 */
export function dialogStatusOf(
  { pid, nativeId }: { readonly pid: number; readonly nativeId: string },
  environment: Environment,
  clock: Pick<Clock, 'now'>,
): () => DialogStatus | undefined {
  const noteBy = clock.now() + startMs;
  const folder = join(claudeFolder(environment), 'sessions');
  let name = `${String(pid)}.json`;
  return () => {
    let found = read(join(folder, name));
    if (found?.sessionId !== nativeId) {
      const other = namesIn(folder).find(each => read(join(folder, each))?.sessionId === nativeId);
      if (other === undefined)
        return existsSync(folder) && clock.now() > noteBy ? { isWaiting: true, since: noteBy } : undefined;
      name = other;
      found = read(join(folder, name));
    }
    if (found?.status === undefined) return undefined;
    return { isWaiting: found.status === 'waiting', since: found.statusUpdatedAt ?? 0 };
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(name => /^\d{1,10}\.json$/.test(name));
  } catch {
    return [];
  }
}

/** Undefined for what is gone, is being written or is none of Claude Code's. */
function read(path: string): z.infer<typeof note> | undefined {
  try {
    const status = statSync(path);
    if (!status.isFile() || status.size > maxBytes) return undefined;
    const parsed = note.safeParse(jsonValue(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
