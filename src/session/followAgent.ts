import type { AgentEvent, RunningAgent } from '../adapters/agent.ts';
import type { ReplayGuard } from './replayGuard.ts';
import type { SessionRecord } from './sessionRecord.ts';

export interface AgentListener {
  event(event: AgentEvent): void;
  /** What is asked in the journal already: an answer to it may not have reached the agent. */
  answerAgain(event: Extract<AgentEvent, { type: 'proposal' | 'question' }>): void;
  /** What the agent said could not be dealt with: it is told to stop. */
  failing(): void;
  /** It has been dealt with as far as it could, and nothing more comes. */
  failed(): void;
}

/**
 * Hands an agent's events on, one after the other, until it is gone or `isOver`, or another process writes the record.
 *
 * @param listener only its `event` and `answerAgain` may throw
 * @returns never rejects
 */
export async function followAgent(
  agent: RunningAgent,
  guard: ReplayGuard,
  record: SessionRecord,
  isOver: () => boolean,
  listener: AgentListener,
): Promise<void> {
  let hasFailed = false;
  try {
    for await (const event of agent.events) {
      if (isOver() || !record.isOurs) return;
      // It may still write until it has ended, so its end is waited for.
      if (hasFailed) continue;
      const verdict = guard.judge(event);
      if (verdict === 'skip') continue;
      record.place = guard.place;
      record.saidAt = guard.saidAt;
      try {
        if (verdict === 'apply') listener.event(event);
        else if (event.type === 'proposal' || event.type === 'question') listener.answerAgain(event);
      } catch {
        hasFailed = true;
        listener.failing();
      } finally {
        record.place = undefined;
        record.saidAt = undefined;
      }
    }
  } catch {
    if (!hasFailed) listener.failing();
    hasFailed = true;
  }
  if (hasFailed && !isOver() && record.isOurs) listener.failed();
}
