import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentId, SessionId } from '../../core/protocol/ids.ts';
import { ageMs, isCode, tryLock } from '../../platform/node/files/fileLock.ts';

/** How long a session may take to be made once it has its conversation. */
const makingMs = 10_000;

/**
 * Which session has which of an agent's conversations, for all windows of this machine: two sessions of one conversation would
 * be two writers. A file for each, made only where there is none.
 */
export class NativeHolders {
  readonly #directory: string;
  readonly #exists: (session: string) => boolean;

  /**
   * @param directory owner-only
   * @param exists whether a session is kept on this machine
   */
  constructor(directory: string, exists: (session: string) => boolean) {
    this.#directory = directory;
    this.#exists = exists;
  }

  /** The session that has it; undefined when none does. */
  find(agent: AgentId, nativeId: string): string | undefined {
    const session = read(this.#pathOf(agent, nativeId));
    return session !== undefined && this.#exists(session) ? session : undefined;
  }

  /**
   * Takes a conversation for a session, which is to be made right after. Claiming again what it has changes nothing.
   *
   * @returns false when another session has it, or another window is about to take it
   * @throws when the disk is full, say
   */
  claim(agent: AgentId, nativeId: string, session: SessionId): boolean {
    const path = this.#pathOf(agent, nativeId);
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    const lock = `${path}.lock`;
    if (!tryLock(lock)) return false;
    try {
      const holder = read(path);
      if (holder === session) return true;
      const isMade = holder !== undefined && this.#exists(holder);
      if (isMade || (ageMs(path) ?? makingMs) < makingMs) return false;
      // Of a session that was deleted, or that died before it was made.
      rmSync(path, { force: true });
      writeFileSync(path, session, { flag: 'wx', mode: 0o600 });
      return true;
    } finally {
      rmSync(lock, { force: true });
    }
  }

  /** Lets it be taken by another session. */
  release(agent: AgentId, nativeId: string, session: SessionId): void {
    const path = this.#pathOf(agent, nativeId);
    if (read(path) === session) rmSync(path, { force: true });
  }

  #pathOf(agent: AgentId, nativeId: string): string {
    const name = createHash('sha256').update(`${agent}\0${nativeId}`).digest('hex').slice(0, 40);
    return join(this.#directory, name);
  }
}

/** Undefined for what is not there, or goes at this moment. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
