import type { Logger } from '../../core/base/logger.ts';
import type { AgentId, SessionId } from '../../core/protocol/ids.ts';
import type { SessionSummary } from '../../core/protocol/windowState.ts';
import type { NativeHolders } from './nativeHolders.ts';

/** Keeps the index of conversations true for the sessions of this window. */
export class NativeClaims {
  readonly #index: NativeHolders;
  readonly #logger: Logger;
  /** The agent's id under which each session is in the index. */
  readonly #held = new Map<SessionId, string | undefined>();

  constructor(index: NativeHolders, logger: Logger) {
    this.#index = index;
    this.#logger = logger;
  }

  /** The session that has a conversation, in whichever window. */
  find(agent: AgentId, nativeId: string): string | undefined {
    return this.#index.find(agent, nativeId);
  }

  /** @returns false when another session has it */
  claim(agent: AgentId, nativeId: string, session: SessionId): boolean {
    return this.#index.claim(agent, nativeId, session);
  }

  release(agent: AgentId, nativeId: string, session: SessionId): void {
    this.#index.release(agent, nativeId, session);
  }

  /** Nobody else may take up what a session has, nor is kept from what it has let go. */
  update({
    summary,
    nativeId,
  }: {
    readonly summary: SessionSummary;
    readonly nativeId: string | undefined;
  }): void {
    const { agent_id: agent, session_id: id, activity } = summary;
    const held = this.#held.get(id);
    const wanted = activity === 'ended' ? undefined : nativeId;
    if (held === wanted) return;
    this.#held.set(id, wanted);
    try {
      if (held !== undefined) this.#index.release(agent, held, id);
      if (wanted !== undefined && !this.#index.claim(agent, wanted, id))
        this.#logger.warn('session.native_taken', { session: id });
    } catch (error) {
      // No room on the disk, say: the next change tries again.
      this.#held.delete(id);
      const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
      this.#logger.warn('session.native_unclaimed', { session: id, code });
    }
  }
}
