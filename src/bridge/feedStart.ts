import type { Control } from '../../core/protocol/control/control.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { FeedSource, FeedStart } from './sessionFeed.ts';

type Begin = Extract<Control, { type: 'open' | 'bind_external' }>;
type Resume = Extract<Control, { type: 'resume' }>;

/** Where a reader is told on: after what it holds, or at a snapshot when that is too long ago or of another incarnation. */
export function feedStart(
  reader: Pick<Begin, 'type' | 'capabilities'> | Omit<Resume, 'request_id'>,
  session: Pick<FeedSource, 'lastSeq' | 'header' | 'history'>,
): FeedStart {
  const { lastSeq } = session;
  const isForeign = reader.type === 'resume' && isOfOther(reader, session);
  const missed = reader.type !== 'resume' || isForeign ? lastSeq : lastSeq - reader.since_seq;
  const told = Math.min(missed, limits.snapshotBlocks);
  return {
    sinceSeq: lastSeq - told,
    isSnapshot: isForeign || told < missed,
    takesPatches: reader.capabilities?.includes('patch1') === true,
  };
}

/** What the reader knows is of another history of this session, so nothing of it counts. */
export function isOfOther(
  { generation, since_seq, since_ts }: Pick<Resume, 'generation' | 'since_seq' | 'since_ts'>,
  session: Pick<FeedSource, 'header' | 'lastSeq' | 'history'>,
): boolean {
  if (generation !== undefined && generation !== session.header.generation) return true;
  // A machine that lost power may have told blocks that its disk never had, and given their numbers to others since.
  if (since_ts === undefined || since_seq === 0 || since_seq > session.lastSeq) return false;
  for (const { block } of session.history(since_seq - 1)) return block.ts !== since_ts;
  return false;
}
