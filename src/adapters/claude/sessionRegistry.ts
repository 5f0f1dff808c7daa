import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { processStart } from '../../../platform/node/files/processStart.ts';
import type { ConversationOwner } from '../external.ts';
import { claudeFolder, isNativeId, type Environment } from './conversationFile.ts';

/** An entry has about 500 bytes. */
const maxBytes = 16_384;
/** More processes than anybody runs. Notes of processes that are gone do not count: any number of them may be left behind. */
const maxOwners = 512;
/** Unix milliseconds that the wire can tell. */
const latest = 9e15;
const time = z.catch(z.optional(z.number().check(z.gte(0), z.lte(latest))), undefined);

const entry = z.object({
  pid: z.int().check(z.gte(1)),
  sessionId: z.string(),
  cwd: z.string().check(z.maxLength(4_096)),
  procStart: z.optional(z.string()),
  status: z.optional(z.string()),
  updatedAt: time,
  startedAt: time,
});

/**
 * The processes of Claude Code that run now, with the conversation that each one works at: Claude Code notes them in
 * `~/.claude/sessions/<pid>.json`, keeps the notes up to date, and leaves them behind when it is killed. A note counts only as
 * long as the process that wrote it lives. Seen in 2.1.197 and 2.1.332, in a terminal and without one.
 */
export function readSessionRegistry(environment: Environment): readonly ConversationOwner[] {
  const folder = join(claudeFolder(environment), 'sessions');
  return entryNames(folder).flatMap(name => {
    const parsed = entry.safeParse(jsonValue(readEntry(join(folder, name))));
    if (!parsed.success || name !== `${String(parsed.data.pid)}.json`) return [];
    const { pid, sessionId: nativeId, cwd, procStart, status, updatedAt, startedAt } = parsed.data;
    const start = processStart(pid);
    if (start === undefined || !isNativeId(nativeId)) return [];
    // Only Linux says it in the words that are noted; elsewhere a living process of that number is all that can be told.
    if (process.platform === 'linux' && procStart !== undefined && procStart !== start) return [];
    const activity = status === 'busy' ? 'running' : status === 'waiting' ? 'waiting' : 'idle';
    return [{ pid, start, nativeId, cwd, activity, updatedAt: updatedAt ?? startedAt ?? 0 } as const];
  });
}

function entryNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter(name => /^\d{1,10}\.json$/.test(name) && isThere(Number.parseInt(name, 10)))
      .slice(0, maxOwners);
  } catch {
    return [];
  }
}

/** A process of that number lives, whosever it is. Cheap everywhere, and its start is not, on systems that need a program for it. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Empty when it is gone, too large, or no file at all. */
function readEntry(path: string): string {
  try {
    const status = statSync(path);
    return status.isFile() && status.size <= maxBytes ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}
