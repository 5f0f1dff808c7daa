import type { ErrorFrame, RelayStatus } from '../../core/protocol/relayFrame.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { RequestId, SessionId } from '../../core/protocol/ids.ts';

/**
 * Tokens by which this phone asks the relay for a session again. In memory, and as long as the connection that brought
 * them: the next one brings its own. They prove nothing to the machine.
 */
export class ResumePermits {
  readonly #tokens = new Map<string, string>();
  /** The request that last showed the token of a session. */
  readonly #shown = new Map<string, RequestId>();

  /** A status brings what is new; the relay gives `resumableSessions` at most, so more than that are forgotten. */
  add(tokens: RelayStatus['resume_tokens']): void {
    for (const [session, token] of Object.entries(tokens)) {
      this.#tokens.set(session, token);
      const oldest = this.#tokens.keys().next();
      if (this.#tokens.size > limits.resumableSessions && oldest.done !== true) this.#forget(oldest.value);
    }
  }

  clear(): void {
    this.#tokens.clear();
    this.#shown.clear();
  }

  /** The token of a session, to be shown by this request; undefined when there is none. */
  use(session: SessionId, request: RequestId): string | undefined {
    const token = this.#tokens.get(session);
    if (token !== undefined) this.#shown.set(session, request);
    return token;
  }

  /**
   * Whether this refuses a request that showed a token. Then the token is forgotten, so that the next try asks without
   * one: a token that is no good is shown once.
   */
  isRefused({ code, session_id: session, request_id: request }: ErrorFrame): boolean {
    if (code !== 'unauthorized' && code !== 'stale_session') return false;
    if (session === undefined || request === undefined || this.#shown.get(session) !== request) return false;
    this.#forget(session);
    return true;
  }

  #forget(session: string): void {
    this.#tokens.delete(session);
    this.#shown.delete(session);
  }
}
