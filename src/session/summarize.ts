import { shorten } from '../../core/base/cutText.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { Activity, SessionSummary } from '../../core/protocol/windowState.ts';
import { deskNeededText } from './agentText.ts';
import type { JournalHeader } from './journalHeader.ts';
import type { LifeCycle } from './lifeCycle.ts';
import type { SessionState } from './sessionState.ts';

/**
 * The row that a list shows of a session.
 *
 * @param needsDesk its agent waits for something that can be answered in its terminal only
 */
export function summarize(
  header: JournalHeader,
  state: SessionState,
  life: LifeCycle,
  needsDesk: boolean,
): SessionSummary {
  const [question] = state.questions;
  const asked = state.pending[0]?.title ?? (question && shorten(question.text, limits.titleChars));
  const asks = asked ?? (needsDesk ? deskNeededText : undefined);
  return {
    session_id: header.session_id,
    agent_id: header.agent_id,
    agent_name: header.agent_name,
    title: state.title ?? header.agent_name,
    cwd: header.cwd,
    activity: activityOf(state, life, needsDesk),
    ...(state.turn === undefined ? {} : { turn_id: state.turn }),
    ...(state.handoff === 'mirroring' ? { owner: state.owner } : {}),
    updated_at: state.updatedAt,
    waiting: state.pending.length + state.questions.length + (needsDesk ? 1 : 0),
    ...(asks === undefined ? {} : { asks }),
    ...(needsDesk ? { needs_desk: true } : {}),
  };
}

function activityOf(state: SessionState, life: LifeCycle, needsDesk: boolean): Activity {
  if (state.pending.length > 0) return 'awaiting_approval';
  if (state.questions.length > 0 || needsDesk) return 'awaiting_question';
  if (state.turn !== undefined || life.isBusy) return 'running';
  return life.state === 'terminated' ? 'ended' : 'idle';
}
