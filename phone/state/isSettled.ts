import type { BlockId } from '../../core/protocol/ids.ts';
import type { Conversation } from './conversation.ts';

/** Whether the machine's record shows what became of a request or a question. */
export function isSettled({ resolutions, questionResolutions }: Conversation, id: BlockId): boolean {
  return resolutions.has(id) || questionResolutions.has(id);
}
