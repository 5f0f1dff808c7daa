import { rmSync } from 'node:fs';
import type { SessionId } from '../../core/protocol/ids.ts';
import { toTimestamp } from '../../core/protocol/timestamp.ts';
import type { InstalledAgent } from '../adapters/adapterRegistry.ts';
import { agentInfoOf } from './agentInfo.ts';
import { Journal } from './journal.ts';
import type { JournalHeader } from './journalHeader.ts';
import type { SessionRestorer } from './restoreSession.ts';

/** Where a session comes from that is not a new conversation. */
export interface SessionOrigin {
  /** The conversation that it takes up. */
  readonly nativeId?: string;
  /** The conversation that it is a copy of. */
  readonly forkOf?: string;
  /** Where the agent works in it. */
  readonly cwd: string;
}

/** What a session begins with. */
export interface SessionBegin {
  readonly id: SessionId;
  readonly installed: InstalledAgent;
  /** The folder of its window. */
  readonly cwd: string;
  readonly from: SessionOrigin | undefined;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * A new journal that says whose it is.
 *
 * @throws when the disk is full, say; nothing is left of it then
 */
export function beginJournal(path: string, begin: SessionBegin, restorer: SessionRestorer): Journal {
  const { installed, cwd, from, now } = begin;
  const journal = Journal.create(path, headerOf(begin), { state: restorer });
  const first = agentInfoOf(installed, {
    cwd: from?.cwd ?? cwd,
    now: toTimestamp(now),
    nativeId: from?.nativeId,
  });
  try {
    journal.append(first);
    journal.flush();
  } catch (error) {
    journal.dispose();
    rmSync(path, { force: true });
    throw error;
  }
  restorer.add(first);
  return journal;
}

function headerOf({ id, installed, cwd, from }: SessionBegin): JournalHeader {
  const { agentId: agent_id, displayName: agent_name } = installed.adapter;
  return {
    journal: 1,
    session_id: id,
    agent_id,
    agent_name,
    cwd,
    ...(from === undefined || from.cwd === cwd ? {} : { agent_cwd: from.cwd }),
    ...(from?.forkOf === undefined ? {} : { fork_of: from.forkOf }),
    generation: 0,
  };
}
