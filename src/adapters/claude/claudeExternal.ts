import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ExternalConversation, ExternalSupport } from '../external.ts';
import { readConversationHead, type ConversationHead } from './conversationHead.ts';
import { claudeFolder, writtenAt, type Environment } from './conversationFile.ts';
import { openExternalRecord } from './conversationRecord.ts';
import { readSessionRegistry } from './sessionRegistry.ts';

/** Beginnings of files that are remembered, since they hardly change. */
const rememberedHeads = 1_000;
/** Files that are looked into at most, the newest of all folders: an older conversation is not offered. */
const lookedInto = 400;

/**
 * Conversations that the user has with Claude Code in terminals of their own.
 *
 * @param environment the user's: it says where Claude Code keeps its files
 */
export function claudeExternal(environment: Environment): ExternalSupport {
  const heads = new Heads();
  return {
    programs: ['claude'],
    scan: (cwd, limit) => scan(join(claudeFolder(environment), 'projects'), heads, cwd, limit),
    openRecord: nativeId => openExternalRecord(nativeId, environment),
    owners: () => readSessionRegistry(environment),
  };
}

interface ConversationPath {
  readonly nativeId: string;
  readonly path: string;
  readonly updatedAt: number;
}

async function scan(
  projects: string,
  heads: Heads,
  cwd: string,
  limit: number,
): Promise<readonly ExternalConversation[]> {
  const found: ExternalConversation[] = [];
  const seen = new Set<string>();
  for (const { nativeId, path, updatedAt } of newestFiles(projects)) {
    if (found.length >= limit) break;
    // One that was moved with its project has an older twin.
    if (seen.has(nativeId)) continue;
    seen.add(nativeId);
    const head = await heads.read(path, updatedAt);
    if (head?.cwd === cwd && head.title !== undefined) found.push({ nativeId, updatedAt, ...head });
  }
  return found;
}

/** Beginnings of conversations' files, read again only when the file was written to. */
class Heads {
  readonly #known = new Map<
    string,
    { readonly updatedAt: number; readonly head: ConversationHead | undefined }
  >();

  async read(path: string, updatedAt: number): Promise<ConversationHead | undefined> {
    const known = this.#known.get(path);
    if (known?.updatedAt === updatedAt) return known.head;
    const head = await readConversationHead(path);
    this.#known.delete(path);
    this.#known.set(path, { updatedAt, head });
    const [oldest] = this.#known.keys();
    if (this.#known.size > rememberedHeads && oldest !== undefined) this.#known.delete(oldest);
    return head;
  }
}

function newestFiles(projects: string): readonly ConversationPath[] {
  const files = namesIn(projects).flatMap(folder =>
    namesIn(join(projects, folder)).flatMap(name => {
      const [, nativeId] = /^([A-Za-z0-9_-]{1,128})\.jsonl$/.exec(name) ?? [];
      const path = join(projects, folder, name);
      const updatedAt = nativeId === undefined ? undefined : writtenAt(path);
      return nativeId === undefined || updatedAt === undefined ? [] : [{ nativeId, path, updatedAt }];
    }),
  );
  return files.sort((a, b) => b.updatedAt - a.updatedAt).slice(0, lookedInto);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
