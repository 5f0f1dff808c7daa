import { turnId, type TurnId } from '../../core/protocol/ids.ts';
import type { AgentEvent } from '../adapters/agent.ts';
import type { SessionRecord } from './sessionRecord.ts';

/** How the id begins under which a prompt is kept that the user gave the agent in its own terminal; no client's does. */
export const deskPrefix = 'desk_';

/** What changes nothing but the record. */
export type RecordedEvent = Extract<AgentEvent, { type: 'line' | 'native_id' }>;

export function recordEvent(record: SessionRecord, event: RecordedEvent): void {
  switch (event.type) {
    case 'line':
      return;
    case 'native_id':
      record.appendNativeId(event.id);
  }
}

/**
 * Writes a prompt of the desk, which the agent has already. One that comes while a turn runs belongs to it.
 *
 * @returns the turn that runs now
 */
export function recordDeskPrompt(
  record: SessionRecord,
  { id, text }: Extract<AgentEvent, { type: 'desk_prompt' }>,
  running: TurnId | undefined,
): TurnId | undefined {
  const clientMsgId = `${deskPrefix}${id}`;
  if (record.state.prompts.has(clientMsgId)) return running;
  const turn = running ?? turnId.parse(`turn_${id}`);
  record.appendPrompt({ text, clientMsgId, deviceId: undefined }, 'delivered', turn);
  return turn;
}
