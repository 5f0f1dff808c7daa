import * as z from 'zod/mini';
import { name, path, title } from './block/fields.ts';
import { conversationOwner } from './block/sessionBlocks.ts';
import { agentId, sessionId, turnId } from './ids.ts';
import { limits } from './limits.ts';
import { timestamp } from './timestamp.ts';

export const activity = z.enum(['idle', 'running', 'awaiting_approval', 'awaiting_question', 'ended']);
export type Activity = z.infer<typeof activity>;

/** The row that a list shows of a session, as it is told. */
export const sessionSummary = z.object({
  session_id: sessionId,
  agent_id: agentId,
  agent_name: name,
  title,
  cwd: path,
  activity,
  /** The turn that runs, when one does: what `interrupt` names. */
  turn_id: z.optional(turnId),
  /** Absent: the bridge. */
  owner: z.optional(conversationOwner),
  updated_at: timestamp,
  /** What waits for an answer: requests, questions, and a dialog that is in its terminal only. */
  waiting: z.int().check(z.gte(0)),
  /** Title of the oldest of them. */
  asks: z.optional(title),
  /** Its agent waits for something that can be seen and answered in its terminal only. */
  needs_desk: z.optional(z.boolean()),
});
export type SessionSummary = z.infer<typeof sessionSummary>;

/** Words of a newer machine read as `unknown`, which is never told: the rest of what came with them holds. */
const receivedActivity = z.catch(z.enum([...activity.options, 'unknown']), 'unknown');
export type ReceivedActivity = z.infer<typeof receivedActivity>;
const receivedOwner = z.catch(z.enum([...conversationOwner.options, 'unknown']), 'unknown');
export type ReceivedOwner = z.infer<typeof receivedOwner>;

/** The row as a reader takes it. */
export const receivedSummary = z.object({
  ...sessionSummary.shape,
  activity: receivedActivity,
  owner: z.optional(receivedOwner),
});
export type ReceivedSummary = z.infer<typeof receivedSummary>;

export const agentOffer = z.object({ agent_id: agentId, display_name: name, version: name });
export type AgentOffer = z.infer<typeof agentOffer>;

/** One editor window, as it is told: where it works, what runs there, what can be started. */
export const windowState = z.object({
  machine: name,
  workspace: name,
  cwd: path,
  agents: z.array(agentOffer).check(z.maxLength(limits.agentsListed)),
  sessions: z.array(sessionSummary).check(z.maxLength(limits.sessionsListed)),
});
export type WindowState = z.infer<typeof windowState>;

/** An editor window as a reader takes it. */
export const receivedWindowState = z.object({
  ...windowState.shape,
  sessions: z.array(receivedSummary).check(z.maxLength(limits.sessionsListed)),
});
export type ReceivedWindowState = z.infer<typeof receivedWindowState>;
