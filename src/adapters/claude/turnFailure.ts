import type { ErrorBlock } from '../../../core/protocol/block/sessionBlocks.ts';
import type { ResultFrame } from './claudeFrame.ts';
import { shorten } from '../../../core/base/cutText.ts';

const quoteChars = 500;

const byStatus: ReadonlyMap<number, ErrorBlock['code']> = new Map([
  [401, 'bad_credentials'],
  [403, 'bad_credentials'],
  [429, 'rate_limited'],
  [529, 'overloaded'],
]);

const byKind: ReadonlyMap<string, ErrorBlock['code']> = new Map([
  ['authentication_failed', 'bad_credentials'],
  ['rate_limit', 'rate_limited'],
  ['overloaded', 'overloaded'],
]);

export interface TurnFailure {
  readonly code: ErrorBlock['code'];
  readonly message: string;
}

/**
 * Why a turn failed, and what to do. Versions say it differently (only newer ones name the kind), so the HTTP status comes
 * first, then the kind that the `assistant` frame named, then Claude Code's own words.
 *
 * @param kind `error` of the `assistant` frame before the result
 */
export function turnFailure(result: ResultFrame, kind: string | undefined): TurnFailure {
  const words = result.result ?? result.errors?.join('\n') ?? '';
  const code = codeOf(result, kind, words);
  const quote = words.trim() === '' ? '' : ` Claude Code says: ${shorten(words.trim(), quoteChars)}`;
  return { code, message: `${advice(code)}${quote}` };
}

/** What a request to the model failed of, as far as status and kind say it. */
export function requestFailure(status: number | undefined, kind: string | undefined): ErrorBlock['code'] {
  const known = status === undefined ? undefined : byStatus.get(status);
  return known ?? (kind === undefined ? undefined : byKind.get(kind)) ?? 'api_error';
}

/** Whether the conversation to go on with is gone: Claude Code ends by itself then. */
export function isConversationMissing(result: ResultFrame): boolean {
  return (result.errors ?? []).some(text => text.startsWith('No conversation found'));
}

function codeOf(result: ResultFrame, kind: string | undefined, words: string): ErrorBlock['code'] {
  if (isConversationMissing(result)) return 'session_not_found';
  if (result.terminal_reason === 'prompt_too_long' || /^prompt is too long/i.test(words))
    return 'context_overflow';
  const status = result.api_error_status ?? undefined;
  const known = status === undefined ? undefined : byStatus.get(status);
  if (known !== undefined) return known;
  if (/not logged in|run \/login/i.test(words)) return 'not_logged_in';
  const named = kind === undefined ? undefined : byKind.get(kind);
  if (named !== undefined) return named;
  if (/connection to the api was lost|cut off mid-?stream|stream (ended|closed|idle)/i.test(words))
    return 'stream_cut';
  return kind === undefined && status === undefined ? 'agent_failed' : 'api_error';
}

function advice(code: ErrorBlock['code']): string {
  switch (code) {
    case 'not_logged_in':
      return 'Claude Code is not logged in on this machine. Run "claude" in a terminal there, enter /login, then send the prompt again.';
    case 'bad_credentials':
      return 'The credentials of Claude Code were refused. Check the API key, or run "claude" in a terminal at the machine and enter /login.';
    case 'rate_limited':
      return 'The usage limit is reached. Wait for it to reset, then send the prompt again.';
    case 'overloaded':
      return 'The model is overloaded at the moment. Send the prompt again in a few minutes.';
    case 'context_overflow':
      return 'The conversation has become too long for the model. Send /compact, or begin a new session.';
    case 'stream_cut':
      return 'The connection to the model broke in the middle of its answer. Send the prompt again.';
    case 'session_not_found':
      return 'Claude Code has nothing of this conversation any more. Send the prompt again: it begins a new one, which knows nothing of what was said before.';
    case 'api_error':
      return 'The request to the model failed. Send the prompt again, or look at the machine.';
    case 'agent_crashed':
    case 'agent_failed':
    case 'agent_missing':
    case 'workspace_missing':
    case 'other_version':
    case 'unsupported_operation':
    case 'journal_damaged':
    case 'internal':
      return 'Claude Code gave up on this prompt. Send it again, or begin a new session.';
  }
}
