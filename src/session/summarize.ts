import { shorten } from '../../core/base/cutText.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { Activity, SessionSummary } from '../../core/protocol/windowState.ts';
import type { JournalHeader } from './journalHeader.ts';
import type { LifeCycle } from './lifeCycle.ts';
import type { SessionState } from './sessionState.ts';

/** The row that a list shows of a session. */
export function summarize(header: JournalHeader, state: SessionState, life: LifeCycle): SessionSummary {
  const [question] = state.questions;
  const asks = state.pending[0]?.title ?? (question && shorten(question.text, limits.titleChars));
  return {
    session_id: header.session_id,
    agent_id: header.agent_id,
    agent_name: header.agent_name,
    title: state.title ?? header.agent_name,
    cwd: header.cwd,
    activity: activityOf(state, life),
    ...(state.turn === undefined ? {} : { turn_id: state.turn }),
    ...(state.handoff === 'mirroring' ? { owner: state.owner } : {}),
    updated_at: state.updatedAt,
    waiting: state.pending.length + state.questions.length,
    ...(asks === undefined ? {} : { asks }),
  };
}

function activityOf(state: SessionState, life: LifeCycle): Activity {
  if (state.pending.length > 0) return 'awaiting_approval';
  if (state.questions.length > 0) return 'awaiting_question';
  if (state.turn !== undefined || life.isBusy) return 'running';
  return life.state === 'terminated' ? 'ended' : 'idle';
}
