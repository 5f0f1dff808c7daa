import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentId, SessionId } from '../../core/protocol/ids.ts';

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
    const path = this.#pathOf(agent, nativeId);
    const session = existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
    return session !== undefined && this.#exists(session) ? session : undefined;
  }

  /**
   * Takes a conversation for a session. Claiming again what it has changes nothing.
   *
   * @returns false when another session has it
   * @throws when the disk is full, say
   */
  claim(agent: AgentId, nativeId: string, session: SessionId): boolean {
    const holder = this.find(agent, nativeId);
    if (holder !== undefined) return holder === session;
    const path = this.#pathOf(agent, nativeId);
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    // Of a session that was deleted, or that died before it was made.
    rmSync(path, { force: true });
    try {
      writeFileSync(path, session, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      return false;
    }
  }

  /** Lets it be taken by another session. */
  release(agent: AgentId, nativeId: string, session: SessionId): void {
    if (this.find(agent, nativeId) === session) rmSync(this.#pathOf(agent, nativeId), { force: true });
  }

  #pathOf(agent: AgentId, nativeId: string): string {
    const name = createHash('sha256').update(`${agent}\0${nativeId}`).digest('hex').slice(0, 40);
    return join(this.#directory, name);
  }
}
