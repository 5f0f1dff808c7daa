import type { Control } from '../../core/protocol/control/control.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { FeedSource, FeedStart } from './sessionFeed.ts';

type Open = Extract<Control, { type: 'open' }>;
type Resume = Extract<Control, { type: 'resume' }>;

/** Where a reader is told on: after what it holds, or at a snapshot when that is too long ago or of another incarnation. */
export function feedStart(
  reader:
    Pick<Open, 'type' | 'capabilities'> | Pick<Resume, 'type' | 'capabilities' | 'since_seq' | 'generation'>,
  session: Pick<FeedSource, 'lastSeq' | 'header'>,
): FeedStart {
  const { lastSeq } = session;
  const isForeign = reader.type === 'resume' && isOfOther(reader, session);
  const missed = reader.type === 'open' || isForeign ? lastSeq : lastSeq - reader.since_seq;
  const told = Math.min(missed, limits.snapshotBlocks);
  return {
    sinceSeq: lastSeq - told,
    isSnapshot: isForeign || told < missed,
    takesPatches: reader.capabilities?.includes('patch1') === true,
  };
}

/** What the reader knows is of another incarnation of this session, so nothing of it counts. */
export function isOfOther(
  { generation }: Pick<Resume, 'generation'>,
  session: Pick<FeedSource, 'header'>,
): boolean {
  return generation !== undefined && generation !== session.header.generation;
}
