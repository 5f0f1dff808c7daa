import { closeSync, openSync, readSync } from 'node:fs';
import * as z from 'zod/mini';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { agentId, sessionId } from '../../core/protocol/ids.ts';

/** More than a header can be. */
const maxBytes = 65_536;

/** The first line of each of a journal's files. It never changes. */
export const journalHeader = z.object({
  journal: z.literal(1),
  session_id: sessionId,
  agent_id: agentId,
  agent_name: z.string(),
  /** The folder of the window that it belongs to. */
  cwd: z.string(),
  /** Where its agent works, if not there. */
  agent_cwd: z.optional(z.string()),
  /** The agent's own id of the conversation that this one is a copy of. */
  fork_of: z.optional(z.string()),
  /** Distinguishes incarnations of one session id; a reader that knows another one starts over. */
  generation: z.int().check(z.gte(0)),
});
export type JournalHeader = z.infer<typeof journalHeader>;

/** What a journal's file says of itself; undefined when it is none. Reads 64 KiB at most. */
export function readJournalHeader(path: string): JournalHeader | undefined {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(maxBytes);
    const read = bytes.subarray(0, readSync(file, bytes, 0, maxBytes, 0));
    const newline = read.indexOf(0x0a);
    if (newline < 0) return undefined;
    const parsed = journalHeader.safeParse(jsonValue(read.toString('utf8', 0, newline)));
    return parsed.success ? parsed.data : undefined;
  } finally {
    closeSync(file);
  }
}
