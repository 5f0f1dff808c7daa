import type { AgentId } from '../../core/protocol/ids.ts';
import type { Request } from '../net/channelClientOptions.ts';
import { cursorOf, type Conversation } from './conversation.ts';

/** A new conversation with an agent, or one that its user has had with the agent elsewhere. */
export type SessionBeginning =
  | { readonly agent: AgentId; readonly prompt: string; readonly clientMsgId: string }
  /** `fork`: it goes on in a copy, and stays as it is with whoever has it. */
  | { readonly agent: AgentId; readonly nativeId: string; readonly fork: boolean };

const capabilities = ['patch1'];

/**
 * What a phone says first on a session's channel.
 *
 * @param beginning undefined for a session that the machine has already: it is told on from where this phone is
 */
export function greeting(conversation: Conversation, beginning: SessionBeginning | undefined): Request {
  if (beginning === undefined) return { type: 'resume', ...cursorOf(conversation), capabilities };
  const { agent: agent_id } = beginning;
  if ('nativeId' in beginning)
    return {
      type: 'bind_external',
      agent_id,
      native_id: beginning.nativeId,
      ...(beginning.fork ? { fork: true } : {}),
      capabilities,
    };
  const { prompt, clientMsgId: client_msg_id } = beginning;
  return { type: 'open', agent_id, prompt, client_msg_id, capabilities };
}
