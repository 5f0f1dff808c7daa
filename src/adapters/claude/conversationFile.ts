import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const chunkBytes = 64 * 1024;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where Claude Code keeps a conversation; undefined while nothing was said in it. The folders' names are not ours to
 * know: all of them are looked through. Several have it after a project was moved; the one that was written last counts.
 */
export function findConversationFile(nativeId: string, environment: Environment): string | undefined {
  if (!isNativeId(nativeId)) return undefined;
  const projects = join(claudeFolder(environment), 'projects');
  const found = folders(projects).flatMap(folder => {
    const file = join(projects, folder, `${nativeId}.jsonl`);
    const written = writtenAt(file);
    return written === undefined ? [] : [{ file, written }];
  });
  return found.sort((a, b) => b.written - a.written).at(0)?.file;
}

/** Where Claude Code keeps its files. */
export function claudeFolder(environment: Environment): string {
  const home = (process.platform === 'win32' ? environment.USERPROFILE : environment.HOME) ?? homedir();
  return environment.CLAUDE_CONFIG_DIR ?? join(home, '.claude');
}

/** Whether it can be the id of a conversation, and so part of a file's name. */
export function isNativeId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,128}$/.test(text);
}

/**
 * When a file was written to last, in Unix milliseconds. Undefined, too, for what may not be looked at: a folder that another
 * user's Claude Code made, or a link to itself.
 */
export function writtenAt(file: string): number | undefined {
  try {
    const status = statSync(file, { throwIfNoEntry: false });
    return status?.isFile() === true ? status.mtimeMs : undefined;
  } catch {
    return undefined;
  }
}

function folders(projects: string): readonly string[] {
  try {
    return readdirSync(projects);
  } catch {
    return [];
  }
}

/** The offset after a file's last newline, in bytes; 0 when it has none or cannot be read. */
export function endOfLines(file: string): number {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (let end = fstatSync(descriptor).size; end > 0;) {
      const start = Math.max(0, end - chunkBytes);
      const read = readSync(descriptor, chunk, 0, end - start, start);
      const newline = chunk.subarray(0, read).lastIndexOf(0x0a);
      if (newline >= 0) return start + newline + 1;
      end = start;
    }
    return 0;
  } catch {
    return 0;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
