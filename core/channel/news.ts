import type { BlockId } from '../protocol/ids.ts';
import type { BridgeMessage } from '../protocol/message.ts';

/** What happened that somebody who looks elsewhere should hear of, in the words of a push (`push_hint`). */
export type NewsKind = 'approval' | 'question' | 'done' | 'error';

export interface News {
  /** Id of the block that it is about: the same news again, on whatever way, is known by it. */
  readonly key: BlockId;
  readonly kind: NewsKind;
}

export interface NewsState {
  /** What has been news, oldest first; bounded. */
  readonly told: readonly BlockId[];
  /** The newest that still holds. */
  readonly latest: News | undefined;
}

export const noNews: NewsState = { told: [], latest: undefined };

/** Keys that are remembered: more than a session asks and ends while one connection is made again. */
const remembered = 256;

/**
 * News are told once for each block, however often the block comes: after a reconnect, with an older page, from a snapshot.
 *
 * @param isRereading what comes was told to this reader before, or is too old to be news: it is only remembered
 */
export function reduceNews(state: NewsState, message: BridgeMessage, isRereading: boolean): NewsState {
  if (message.kind !== 'event') return state;
  const { block } = message;
  if (block.type === 'permission_resolved' || block.type === 'question_resolved')
    return state.latest?.key === block.id ? { ...state, latest: undefined } : state;
  const news = newsOf(block);
  if (news === undefined || state.told.includes(news.key)) return state;
  const told = [...state.told, news.key].slice(-remembered);
  return { told, latest: isRereading ? state.latest : news };
}

function newsOf(block: Extract<BridgeMessage, { kind: 'event' }>['block']): News | undefined {
  if (block.type === 'permission_request') return { key: block.id, kind: 'approval' };
  if (block.type === 'question') return { key: block.id, kind: 'question' };
  if (block.type === 'error') return { key: block.id, kind: 'error' };
  // Who stopped a turn knows it; a failure has said so already.
  if (block.type === 'session_end' && block.reason === 'completed') return { key: block.id, kind: 'done' };
  return undefined;
}
