import type { ResolvedBy } from '../../core/protocol/block/approvalBlocks.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import { blockId, type BlockId, type TurnId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { SessionState } from './sessionState.ts';

type EndReason = Extract<Block, { type: 'session_end' }>['reason'];

export interface TurnEnd {
  readonly turn: TurnId;
  readonly reason: EndReason;
  /** What became of calls without a result: `unknown` when nobody can tell. */
  readonly outcome: 'interrupted' | 'unknown';
  /** Unix seconds. */
  readonly ts: number;
}

/**
 * The blocks that end a turn: every text is ended, every request withdrawn and every call answered, then exactly one `session_end`
 * (requirements T68-T70, M44, M71).
 */
export function closeTurn(state: SessionState, end: TurnEnd): readonly Block[] {
  const { turn: turn_id, reason, outcome, ts } = end;
  return [
    ...closeOpen(state, { outcome, ts, of: { turn_id } }),
    { type: 'session_end', ts, turn_id, id: endId(turn_id), reason },
  ];
}

/**
 * The blocks that end what is open: an agent may leave a call open that it made in no turn.
 *
 * @param end.of the turn that the answers are part of, if one runs
 */
export function closeOpen(
  state: SessionState,
  { outcome, ts, of }: Pick<TurnEnd, 'outcome' | 'ts'> & { readonly of: { readonly turn_id?: TurnId } },
): readonly Block[] {
  return [
    ...[...state.openTexts.values()].map((text): Block => ({ ...text, ts, done: true })),
    ...withdrawRequests(state, outcome === 'unknown' ? 'crash' : 'interrupt', ts),
    ...[...state.openAgents.values()].map((agent): Block => ({ ...agent, ts, status: 'error' })),
    ...[...state.openCalls.values()].flatMap((call): Block[] => [
      { ...call, ts, status: 'error' },
      {
        type: 'tool_result',
        ts,
        ...of,
        id: endId(call.id),
        tool_call_id: call.id,
        content: '',
        truncated: false,
        outcome,
      },
    ]),
  ];
}

/** Takes back every request and question that waits, so that a late answer is stale. */
export function withdrawRequests(state: SessionState, by: ResolvedBy, ts: number): readonly Block[] {
  return [
    ...state.pending.map(({ id, turn_id }): Block => {
      return { type: 'permission_resolved', ts, turn_id, id, granted: false, by };
    }),
    ...state.questions.map(({ id, turn_id }): Block => {
      return { type: 'question_resolved', ts, turn_id, id, answered: false, by };
    }),
  ];
}

/** An agent's id may be as long as ids get. */
function endId(id: BlockId | TurnId): BlockId {
  return blockId.parse(`${id}.end`.slice(-limits.idChars));
}
