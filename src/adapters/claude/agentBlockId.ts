import { blockId, type BlockId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';

const foreign = /[^A-Za-z0-9_.:-]/g;

/** Makes a block's id of an id of the agent: characters that ours cannot have become `_`, and the end is what counts. */
export function agentBlockId(id: string): BlockId {
  return blockId.parse((id === '' ? '_' : id).replace(foreign, '_').slice(-limits.idChars));
}
