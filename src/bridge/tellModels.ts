import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { ResponseResult } from '../../core/protocol/response.ts';
import type { Session } from '../session/session.ts';

/** The models that a session's agent offers, as far as it has said; it says so once it runs. */
export function modelsOf(session: Pick<Session, 'models' | 'chosen'> | undefined): ResponseResult {
  if (session === undefined) return refusalOf('not_found');
  if (session.models === undefined) return refusalOf('not_running');
  const { model: current, effort } = session.chosen;
  return {
    type: 'models',
    models: session.models.models,
    ...(current === undefined ? {} : { current }),
    ...(effort === undefined ? {} : { effort }),
  };
}

function refusalOf(code: ErrorCode): ResponseResult {
  return { type: 'error', code, message: '' };
}
