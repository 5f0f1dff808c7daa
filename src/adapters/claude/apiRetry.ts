import { limits } from '../../../core/protocol/limits.ts';
import type { BlockId } from '../../../core/protocol/ids.ts';
import type { AgentBlock } from '../agent.ts';
import type { SystemFrame } from './claudeFrame.ts';
import { requestFailure } from './turnFailure.ts';

/** A request to the model failed, and Claude Code waits before it makes it again (requirement C44). */
export function apiRetry(frame: SystemFrame, id: BlockId): AgentBlock {
  const { attempt, max_retries, retry_delay_ms = 0, error_status, error } = frame;
  return {
    type: 'error',
    id,
    code: requestFailure(error_status ?? undefined, error ?? undefined),
    message: 'Claude Code tries again by itself.',
    recoverable: true,
    retry_in_ms: Math.min(Math.round(retry_delay_ms), limits.durationMs),
    ...(attempt === undefined ? {} : { attempt }),
    ...(max_retries === undefined ? {} : { max_attempts: max_retries }),
  };
}
