import { open } from 'node:fs/promises';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import * as z from 'zod/mini';
import { claudeRecord } from './claudeRecord.ts';
import { userWords } from './userWords.ts';

/** A first prompt is found within it: what Claude Code notes before it has some ten thousand bytes. */
const headBytes = 256 * 1024;

const placed = z.object({ cwd: z.string() });
const titled = z.object({ type: z.literal('custom-title'), customTitle: z.string().check(z.minLength(1)) });

/** What the beginning of a conversation's file says of it. */
export interface ConversationHead {
  /** Where its first record was written: the folder's name tells nothing that could be relied on. */
  readonly cwd: string;
  /** What its user calls it, or first said; undefined when neither is in the beginning. */
  readonly title: string | undefined;
}

/** Reads 256 KiB at most. @returns undefined for a file in which nobody has said anything yet, or that cannot be read */
export async function readConversationHead(path: string): Promise<ConversationHead | undefined> {
  const lines = await firstLines(path);
  let cwd: string | undefined;
  let prompt: string | undefined;
  let command: string | undefined;
  let title: string | undefined;
  for (const line of lines) {
    const value = jsonValue(line);
    cwd ??= placed.safeParse(value).data?.cwd;
    title = titled.safeParse(value).data?.customTitle ?? title;
    if (prompt !== undefined) continue;
    const record = claudeRecord.safeParse(value).data;
    if (record?.type !== 'user' || record.isSidechain === true) continue;
    const words = userWords(record);
    if (words?.kind === 'prompt') prompt = words.text;
    if (words?.kind === 'command') command ??= words.text;
  }
  return cwd === undefined ? undefined : { cwd, title: title ?? prompt ?? command };
}

async function firstLines(path: string): Promise<readonly string[]> {
  const handle = await open(path, 'r').catch(() => undefined);
  if (handle === undefined) return [];
  try {
    const bytes = Buffer.alloc(headBytes);
    const { bytesRead } = await handle.read(bytes, 0, headBytes, 0);
    const lines = bytes.toString('utf8', 0, bytesRead).split('\n');
    // What follows the last newline is no whole line yet, or was cut here.
    return lines.slice(0, -1);
  } catch {
    return [];
  } finally {
    await handle.close();
  }
}
