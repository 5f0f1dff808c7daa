import type { Block } from '../../core/protocol/block/block.ts';
import { blockId } from '../../core/protocol/ids.ts';
import type { InstalledAgent } from '../adapters/adapterRegistry.ts';

/**
 * Who is talked to, as a record says it first. Without it the agent's own id of the conversation has no place.
 *
 * @param place.now Unix seconds
 * @param place.nativeId the agent's own id of a conversation that there is already
 */
export function agentInfoOf(
  { adapter, detected }: InstalledAgent,
  place: { readonly cwd: string; readonly now: number; readonly nativeId?: string | undefined },
): Extract<Block, { type: 'agent_info' }> {
  return {
    type: 'agent_info',
    ts: place.now,
    id: blockId.parse('agent'),
    agent_id: adapter.agentId,
    display_name: adapter.displayName,
    version: detected.version,
    capabilities: adapter.capabilities,
    cwd: place.cwd,
    ...(place.nativeId === undefined ? {} : { native_id: place.nativeId }),
  };
}
