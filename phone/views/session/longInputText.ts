import type { LongInput } from '../../state/longInputs.ts';
import { answerFailureText } from './answerFailureText.ts';

/** How far the rest of an action has come, and what that means for an answer. */
export function longInputText(state: Exclude<LongInput, { phase: 'read' }> | undefined): string {
  if (state?.phase === 'failed')
    return `The whole action could not be fetched, so it cannot be allowed yet. ${answerFailureText(state.code)}`;
  if (state?.total === undefined) return 'The action is long. Fetching all of it before it can be allowed…';
  const percent = Math.floor((state.read / state.total) * 100);
  return `The action is long. Fetching all of it before it can be allowed: ${String(percent)} %`;
}
