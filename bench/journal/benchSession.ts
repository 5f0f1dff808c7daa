import { agentId, sessionId } from '../../core/protocol/ids.ts';
import type { JournalHeader } from '../../src/session/journalHeader.ts';

export const benchSession: JournalHeader = {
  journal: 1,
  session_id: sessionId.parse('bench'),
  agent_id: agentId.parse('demo'),
  agent_name: 'Demo agent',
  cwd: '/work',
  generation: 0,
};
