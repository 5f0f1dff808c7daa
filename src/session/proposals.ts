import type { TurnId } from '../../core/protocol/ids.ts';
import type { ProposedAction, RunningAgent } from '../adapters/agent.ts';
import { refusedProposalText } from './agentText.ts';
import type { SessionRecord } from './sessionRecord.ts';

/** Where a proposal comes in. */
export interface ProposalPlace {
  readonly agent: RunningAgent | undefined;
  readonly turn: TurnId | undefined;
  /** It may have been told before: what is read was there before a restart. */
  readonly isRereading: boolean;
}

/** Puts an agent's proposal to the people who may answer it; says no by itself to one that nobody could answer safely. */
export function takeProposal(record: SessionRecord, action: ProposedAction, place: ProposalPlace): void {
  const { agent, turn, isRereading } = place;
  const outcome = turn === undefined ? 'refused' : record.appendRequest(action, turn);
  if (outcome === 'new') return;
  if (outcome === 'known' && isRereading) {
    answerAgain(record, action, agent);
    return;
  }
  // Outside of a turn, without a canonical form, or under an id that was used, nobody could say what an answer is for.
  record.appendError('agent_failed', refusedProposalText, turn);
  const deny = action.options.find(option => option.kind === 'deny');
  if (deny) agent?.respondPermission(action.id, deny.id);
}

/** Only for the very action that was answered: its digest says so. */
export function answerAgain(
  record: SessionRecord,
  action: ProposedAction,
  agent: RunningAgent | undefined,
): void {
  const answer = record.answerTo(action);
  if (answer !== undefined) agent?.respondPermission(action.id, answer);
}
