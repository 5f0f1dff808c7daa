import type { Block } from '../../core/protocol/block/block.ts';
import { blockId } from '../../core/protocol/ids.ts';
import { cutRecordText } from './agentText.ts';
import type { SessionRestorer } from './restoreSession.ts';

/**
 * What is to be written after a journal that was damaged, so that it is said once and not at every start: that its end was
 * removed, that prompts which may have been delivered are not delivered again, and that the agent asks about everything when
 * what was lost may have said so.
 */
export function mendRecord(
  restored: Pick<SessionRestorer, 'doubtful' | 'isNarrowed' | 'state'>,
  isCut: boolean,
  place: { /** Unix seconds. */ readonly now: number; readonly uniqueId: () => string },
): readonly Block[] {
  const { now: ts } = place;
  const cut = (): Block => ({
    type: 'error',
    ts,
    id: blockId.parse(`error_${place.uniqueId()}`),
    code: 'journal_damaged',
    message: cutRecordText,
  });
  const doubtful = restored.doubtful.map((echo): Block => ({ ...echo, ts, state: 'not_delivered' }));
  const strictest = (): Block => ({
    type: 'mode_changed',
    ts,
    id: blockId.parse(`mode_${place.uniqueId()}`),
    mode: 'ask',
  });
  const isNarrowed = restored.isNarrowed || (isCut && restored.state.mode !== 'ask');
  return [...(isCut ? [cut()] : []), ...(isNarrowed ? [strictest()] : []), ...doubtful];
}
