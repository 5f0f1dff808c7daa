import type { ResolvedBy } from '../../core/protocol/block/approvalBlocks.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import { blockId, type TurnId } from '../../core/protocol/ids.ts';
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
    ...[...state.openTexts.values()].map((text): Block => ({ ...text, ts, done: true })),
    ...withdrawRequests(state, outcome === 'unknown' ? 'crash' : 'interrupt', ts),
    ...[...state.openCalls.values()].flatMap((call): Block[] => [
      { ...call, ts, status: 'error' },
      {
        type: 'tool_result',
        ts,
        turn_id,
        id: blockId.parse(`${call.id}.end`),
        tool_call_id: call.id,
        content: '',
        truncated: false,
        outcome,
      },
    ]),
    { type: 'session_end', ts, turn_id, id: blockId.parse(`${turn_id}.end`), reason },
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
