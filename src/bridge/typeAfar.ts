import { unreachable } from '../../core/base/unreachable.ts';
import type { Control } from '../../core/protocol/control/control.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { ResponseMessage } from '../../core/protocol/response.ts';
import type { TypingFailure } from '../terminal/keeperTyping.ts';
import type { TerminalProcess } from '../terminal/terminalProcess.ts';
import { keyBytes } from './keyBytes.ts';

export type TypingRequest = Extract<Control, { type: 'type_text' | 'press_key' }>;

type Answer = Pick<ResponseMessage, 'receipt' | 'result'>;

/** Types into an agent's terminal what an owner's phone says, after all that was said before. */
export async function typeAfar(
  terminal: Pick<TerminalProcess, 'paste' | 'keys'>,
  request: TypingRequest,
): Promise<Answer> {
  if (request.type === 'type_text' && Buffer.byteLength(request.text) > limits.promptBytes)
    return refused('frame_too_large');
  // What has been begun is not taken back: its keeper says within a minute what became of it, and so does its end.
  const { signal } = new AbortController();
  const typed =
    request.type === 'type_text'
      ? await terminal.paste(request.text, { submit: request.submit, force: request.force === true }, signal)
      : await terminal.keys(keyBytes(request.key), signal);
  if (typed.ok) return { receipt: 'applied', result: { type: request.type } };
  const { result } = refused(errorOf(typed.code));
  // It may be there, or come later: nobody should do it again by itself.
  return typed.code === 'unread' || typed.code === 'unanswered'
    ? { receipt: 'unknown', result }
    : { receipt: 'rejected', result };
}

export function refused(code: ErrorCode): Answer {
  return { receipt: 'rejected', result: { type: 'error', code, message: '' } };
}

function errorOf(code: TypingFailure): ErrorCode {
  switch (code) {
    case 'desk_is_typing':
      return 'busy';
    case 'busy':
      return 'rate_limited';
    case 'gone':
      return 'not_running';
    case 'unsupported':
      return 'unsupported_operation';
    case 'too_long':
      return 'frame_too_large';
    case 'not_keys':
      return 'invalid_request';
    case 'unread':
      return 'slow_consumer';
    case 'unanswered':
      return 'internal';
  }
  return unreachable(code);
}
