import { shorten } from '../../core/base/cutText.ts';
import type { ErrorBlock } from '../../core/protocol/block/sessionBlocks.ts';
import { blockId } from '../../core/protocol/ids.ts';
import { recoveryText } from './agentText.ts';
import type { PlannedRespawn } from './respawn.ts';
import { maxRespawns } from './respawn.ts';
import type { SessionPorts } from './sessionPorts.ts';
import type { SessionRecord } from './sessionRecord.ts';

/** UTF-16 units of an error's words. */
const errorChars = 1_000;

/**
 * Writes why the agent is not there, in the turn that runs, and when it is tried again (requirement C47).
 *
 * @param planned undefined when it is not tried again by itself
 */
export function tellError(
  record: SessionRecord,
  { uniqueId }: Pick<SessionPorts, 'uniqueId'>,
  error: Pick<ErrorBlock, 'code' | 'message'>,
  planned: PlannedRespawn | undefined,
): void {
  const { turn } = record.state;
  record.append({
    type: 'error',
    ts: record.now,
    ...(turn === undefined ? {} : { turn_id: turn }),
    id: blockId.parse(`error_${uniqueId()}`),
    code: error.code,
    message: shorten(`${error.message} ${recoveryText(error.code, planned !== undefined)}`, errorChars),
    recoverable: planned !== undefined,
    ...(planned === undefined
      ? {}
      : { retry_in_ms: planned.delayMs, attempt: planned.attempt, max_attempts: maxRespawns }),
  });
}
