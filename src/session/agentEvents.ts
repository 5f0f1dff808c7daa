import { unreachable } from '../../core/base/unreachable.ts';
import type { AgentBlock, AgentEvent, RunningAgent } from '../adapters/agent.ts';
import type { AgentFacts } from './agentFacts.ts';
import { recordPlan } from './planRecord.ts';
import type { QueueGate } from './queueGate.ts';
import { recordEvent } from './recordEvent.ts';
import type { ReplayGuard } from './replayGuard.ts';
import type { SessionRecord } from './sessionRecord.ts';
import type { TurnRunner } from './turnRunner.ts';

type Said<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

/** Whom what an agent says concerns. */
export interface AgentEventTargets {
  readonly agent: RunningAgent;
  readonly guard: ReplayGuard;
  readonly record: SessionRecord;
  readonly turns: TurnRunner;
  readonly gate: QueueGate;
  readonly facts: AgentFacts;
  readonly endTurn: (reason: Said<'turn_end'>['reason']) => void;
  readonly exit: (event: Said<'exit'>) => void;
}

/** Takes in what an agent says. */
export function takeAgentEvent(event: AgentEvent, to: AgentEventTargets): void {
  switch (event.type) {
    case 'prompt_accepted':
      to.turns.accept();
      return;
    case 'desk_prompt':
      to.turns.beginAtDesk(event);
      return;
    case 'proposal':
    case 'proposal_withdrawn':
    case 'question':
    case 'question_withdrawn':
      to.turns.ask(event, to.guard.isRereading);
      return;
    case 'checkpoint':
      to.agent.acknowledge(event.offset);
      return;
    case 'turn_end':
      to.endTurn(event.reason);
      return;
    case 'exit':
      to.exit(event);
      return;
    case 'plan_step':
    case 'context':
    case 'rate_limit':
    case 'usage':
    case 'models':
    case 'commands':
    case 'settings':
      to.facts.take(event, to.agent.sourceId);
      return;
    case 'block':
      if (event.block.type === 'plan') recordPlan(to.record, event.block, to.record.state.turn);
      else takeBlock(event.block, to);
      return;
    case 'line':
    case 'native_id':
      recordEvent(to.record, event);
      return;
  }
  return unreachable(event);
}

function takeBlock(said: AgentBlock, { record, gate, guard }: AgentEventTargets): void {
  const block = gate.note(said);
  // Read again, it must not count for a turn that has begun since.
  const { lastLine } = guard;
  if (lastLine !== undefined && record.hasSaid(block, lastLine.turn)) return;
  record.appendAgentBlock(block, record.state.turn);
}
