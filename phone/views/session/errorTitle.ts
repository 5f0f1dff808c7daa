import type { ErrorBlock } from '../../../core/protocol/block/sessionBlocks.ts';

/** What went wrong at the machine, in a few words. The machine's own message says more. */
export function errorTitle(code: ErrorBlock['code']): string {
  switch (code) {
    case 'agent_crashed':
      return 'The agent crashed';
    case 'agent_failed':
      return 'The agent could not be started';
    case 'agent_missing':
      return 'The agent is not installed';
    case 'workspace_missing':
      return 'No folder is open';
    case 'other_version':
      return 'The agent runs under another version';
    case 'session_not_found':
      return 'The conversation is gone';
    case 'unsupported_operation':
      return 'The agent cannot do that';
    case 'journal_damaged':
      return 'Part of the record is damaged';
    case 'not_logged_in':
      return 'The agent is not signed in';
    case 'bad_credentials':
      return 'The agent’s sign-in was refused';
    case 'rate_limited':
      return 'The model’s service wants a pause';
    case 'overloaded':
      return 'The model’s service is overloaded';
    case 'context_overflow':
      return 'The conversation is too long for the model';
    case 'stream_cut':
      return 'The answer was cut off';
    case 'api_error':
      return 'The model’s service refused';
    case 'internal':
      return 'Something went wrong at the machine';
  }
}
