import type { AgentEvent, ProposedAction, RunningAgent } from '../adapters/agent.ts';
import type { ReplayGuard } from './replayGuard.ts';
import type { SessionRecord } from './sessionRecord.ts';

export interface AgentListener {
  event(event: AgentEvent): void;
  /** A proposal that is in the journal already: an answer to it may not have reached the agent. */
  answerAgain(action: ProposedAction): void;
  /** What the agent said could not be dealt with; nothing more of it is read. */
  failed(error: unknown): void;
}

/** Hands an agent's events on, one after the other, until it is gone or `isOver`. Never rejects. */
export async function followAgent(
  agent: RunningAgent,
  guard: ReplayGuard,
  record: SessionRecord,
  isOver: () => boolean,
  listener: AgentListener,
): Promise<void> {
  try {
    for await (const event of agent.events) {
      if (isOver()) return;
      const verdict = guard.judge(event);
      if (verdict === 'skip') continue;
      record.place = guard.place;
      try {
        if (verdict === 'apply') listener.event(event);
        else if (event.type === 'proposal') listener.answerAgain(event.action);
      } finally {
        record.place = undefined;
      }
    }
  } catch (error) {
    if (!isOver()) listener.failed(error);
  }
}
