import type { ErrorBlock } from '../../core/protocol/block/sessionBlocks.ts';
import type { AgentStartFailure } from '../adapters/agent.ts';
import type { ReviewFailure } from './approval/reviewer.ts';

/** Shown when the agent is told no by itself. */
export const refusedProposalText =
  'The agent asked in a way that nobody could answer safely, so it was told no. Ask it to try again.';

/** Shown in place of something that breaks the protocol's bounds. */
export const unreadableBlockText =
  'The agent did something that cannot be shown here. Look at it at the desk.';

export function crashText(detail: string): string {
  return `The agent ended unexpectedly (${detail}). What it was doing is not repeated: look at what it did.`;
}

/** What an agent asks that waits in a dialog of its own terminal, which nothing here can show. */
export const deskNeededText = 'an answer in its terminal';

/** Said when an agent was told to stop, and its turn went on. */
export const ignoredStopText =
  'The agent did not stop within 15 seconds, so it was ended. Send a prompt to go on with its conversation; what waits is held until then.';

/** Said when an agent was given a prompt, and nothing shows that it took it. */
export const untakenPromptText =
  'The agent did not take the prompt within 5 minutes, so it was ended. Send it again to start the agent anew; what waits is held until then.';

/** Said when an answer was given, and the disk did not take it for good. */
export function unkeptAnswerText(title: string): string {
  return `The answer could not be kept on the disk, so it does not count, and the agent goes on without it. Ask it to try again: ${title}`;
}

/** What becomes of an agent that is not there. */
export function recoveryText(code: ErrorBlock['code'], isStartedAgain: boolean): string {
  if (code === 'other_version') return 'What waits is held.';
  return isStartedAgain
    ? 'It is started again by itself.'
    : 'Send a prompt to start it again; what waits is held until then.';
}

/** Follows a service's words when it refused twice in a row. */
export const heldByRefusalText =
  'It was refused twice in a row, so what waits is held: send a prompt, or tap Send now, to go on.';

/** Why no agent could be started, and what to do. */
export function startFailureText(code: AgentStartFailure): string {
  switch (code) {
    case 'agent_missing':
      return 'The agent is not installed on this machine: install it there.';
    case 'agent_failed':
      return 'The agent could not be started. The log says why.';
    case 'workspace_missing':
      return 'Open a folder in the editor first: the agent needs one to work in.';
    case 'other_version':
      return 'The agent was started by another version of Terminull. It goes on, and this version cannot show what it does. Install that version again to go on with it, or end this session to end the agent.';
  }
}

/** Its terminal shows something else now. */
export const takenText =
  'The terminal went on in a conversation that another session has. What is done there is not shown here: open that session.';

/** Stands where a part of the record was. */
export function lostEntriesText(count: number): string {
  const what = count === 1 ? 'One entry' : `${String(count)} entries`;
  return `${what} of this conversation’s record cannot be read: the file was damaged on the disk. What is before and after is kept.`;
}

/** Said once, after the machine or the editor went down in the middle of a write. */
export const cutRecordText =
  'The record of this conversation ended in the middle of a line, which was removed. Check whether the last thing that you remember is here.';
/** Why nobody approved a request for the user, who is asked instead. */
export function reviewFailureText(code: ReviewFailure, title: string): string {
  return `${reviewReason(code)}, so you are asked yourself: ${title}`;
}

function reviewReason(code: ReviewFailure): string {
  switch (code) {
    case 'no_reviewer':
      return 'No reviewer is set up';
    case 'timeout':
      return 'The reviewer did not answer in time';
    case 'unreachable':
      return 'The reviewer could not be reached';
    case 'malformed':
      return 'The reviewer gave no clear answer';
  }
}
